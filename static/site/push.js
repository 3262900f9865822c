// Switches notifications on and off for this browser. The server knows browsers by the address of their push service;
// of it the page is told only the SHA-256, enough to recognise this one.
const box = document.querySelector("[data-push]");
const on = box?.querySelector("form[data-push-on]");
const off = box?.querySelector("form[data-push-off]");

function say(words) {
  box.querySelector("[data-push-state]").textContent = words;
}

function letters(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function digest(text) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// With another key than the server's of now nothing would come: such a subscription counts as none.
function isOurs(subscription) {
  const key = subscription?.options.applicationServerKey;
  return Boolean(key) && letters(key) === box.dataset.key;
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const found = await registration?.pushManager.getSubscription();
  return isOurs(found) ? found : null;
}

async function show() {
  const found = Notification.permission === "granted" ? await subscription() : null;
  const isOn = found !== null && box.dataset.known.split(" ").includes(await digest(found.endpoint));
  on.hidden = isOn;
  off.hidden = !isOn;
  if (isOn) off.elements.namedItem("endpoint").value = found.endpoint;
  say(isOn ? box.dataset.wordsOn : Notification.permission === "denied" ? box.dataset.wordsDenied : "");
}

async function subscribe() {
  const registration = await navigator.serviceWorker.register(box.dataset.worker, { scope: "/" });
  await navigator.serviceWorker.ready;
  const old = await registration.pushManager.getSubscription();
  if (old && !isOurs(old)) await old.unsubscribe();
  const wanted = { userVisibleOnly: true, applicationServerKey: box.dataset.key };
  return registration.pushManager.subscribe(wanted);
}

async function switchOn(event) {
  event.preventDefault();
  const button = on.querySelector("button");
  button.disabled = true;
  try {
    // Asked here, on the press: browsers refuse pages that ask on their own.
    if (await Notification.requestPermission() !== "granted") {
      say(box.dataset.wordsDenied);
      return;
    }
    const found = await subscribe();
    on.elements.namedItem("endpoint").value = found.endpoint;
    on.elements.namedItem("p256dh").value = letters(found.getKey("p256dh"));
    on.elements.namedItem("auth").value = letters(found.getKey("auth"));
    on.submit();
  } catch {
    say(box.dataset.wordsFailed);
  } finally {
    button.disabled = false;
  }
}

if (box) {
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
    on.addEventListener("submit", switchOn);
    show();
  } else if (navigator.standalone === false) {
    // Safari on an iPhone, which knows no messages for its tabs but does for pages on the home screen.
    box.querySelector("[data-push-install]").hidden = false;
  } else {
    say(box.dataset.wordsUnable);
  }
}
