// Shows the messages that our server sends to this browser, also while no page is open, and opens their page on a click.
// It keeps nothing and answers no request: pages load as they would without it.

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data));
});

async function show(data) {
  const message = data.json();
  // A copy of a message that is on the screen already (its sender died before it was marked): no second sound.
  const shown = await self.registration.getNotifications({ tag: message.tag });
  const known = shown.some((each) => each.data?.id === message.id);
  await self.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    lang: message.lang,
    renotify: !known,
    requireInteraction: message.urgent,
    vibrate: message.urgent ? [300, 100, 300] : [200],
    icon: "/push-icon.svg",
    data: { id: message.id, url: message.url, pages: message.pages },
  });
}

async function openPage({ url, pages }) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // The best page first: its table, then the day that links to it.
  for (const page of pages) {
    const tab = tabs.find((each) => new URL(each.url).pathname === page);
    if (tab) return tab.focus();
  }
  return self.clients.openWindow(url);
}
