"""Addresses of people's accounts."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path

from accounts import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.LogIn.as_view(), name="login"),
    path("signup/", views.sign_up, name="signup"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("me/", views.account, name="account"),
    path("me/password/", views.change_password, name="password"),
]
