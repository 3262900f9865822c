"""Addresses of people's accounts."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path

from accounts import address_views, reset_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.LogIn.as_view(), name="login"),
    path("signup/", views.sign_up, name="signup"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("reset/", reset_views.reset, name="reset"),
    path("reset/sent/", reset_views.reset_sent, name="reset-sent"),
    path("reset/<str:uidb64>/<str:token>/", reset_views.ResetConfirm.as_view(), name="reset-confirm"),
    path("me/", views.account, name="account"),
    path("me/display/", views.display, name="display"),
    path("me/cards/", views.choose_cards, name="cards"),
    path("me/password/", views.change_password, name="password"),
    path("me/mail/", address_views.address, name="address"),
    path("me/mail/forget/", address_views.address_remove, name="address-forget"),
    path("me/mail/confirm/<str:token>/", address_views.address_confirm, name="address-confirm"),
]
