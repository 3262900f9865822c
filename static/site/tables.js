// A result that is sent while the phone is offline is kept on it and sent by itself once there is a connection, with the
// same key, so that it counts once. Without script the form is an ordinary form.
const form = document.querySelector("form[data-keep]");
const note = document.querySelector("[data-waiting]");
const place = `hanami ${location.pathname}`;

function keep() {
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  localStorage.setItem(place, JSON.stringify(fields));
  note.hidden = false;
}

function sendKept() {
  const kept = localStorage.getItem(place);
  if (!kept || !navigator.onLine) return;
  localStorage.removeItem(place);
  for (const [name, value] of JSON.parse(kept)) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
  }
  note.hidden = true;
  form.submit();
}

if (form && note) {
  form.addEventListener("submit", (event) => {
    if (navigator.onLine) return;
    event.preventDefault();
    keep();
  });
  addEventListener("online", sendKept);
  note.hidden = !localStorage.getItem(place);
  sendKept();
} else {
  localStorage.removeItem(place);
}
