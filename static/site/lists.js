// A list with a filter: what is chosen is shown at once, at an address of its own, and focus stays where it is. What
// follows the form is taken from the answer. Without script the form's button loads the page.

const FILTER = "form.filter[role=search]:not([action])";
const WAITS_MS = 300;
const voice = document.createElement("p");
let asked = null;

function wanted(form) {
  const address = new URL(location.pathname, location.href);
  for (const [name, value] of new FormData(form)) if (value) address.searchParams.append(name, value);
  return address;
}

function after(place) {
  const found = [];
  for (let next = place.nextElementSibling; next; next = next.nextElementSibling) found.push(next);
  return found;
}

function put(form, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(FILTER);
  if (!fresh) return false;
  for (const old of after(form)) old.remove();
  form.after(...after(fresh));
  const said = after(form).map((each) => each.querySelector("caption, .found, .empty p")).find(Boolean)?.textContent ?? "";
  voice.textContent = said.trim().replace(/\s+/g, " ");
  return true;
}

/** Show the list at this address; what cannot be had so is left to the browser. */
async function show(form, address, { isNew }) {
  asked?.abort();
  const { signal } = asked = new AbortController();
  form.setAttribute("aria-busy", "true");
  const late = setTimeout(() => form.classList.add("waits"), WAITS_MS);
  try {
    const answer = await fetch(address, { headers: { "X-Fragment": "true" }, cache: "no-store", signal });
    if (!answer.ok || answer.redirected || !put(form, await answer.text())) throw new Error(`${answer.status}`);
    if (isNew) history.pushState(null, "", address);
    form.removeAttribute("aria-busy");
    form.classList.remove("waits");
  } catch {
    if (!signal.aborted) location.assign(address);
  } finally {
    clearTimeout(late);
  }
}

/** The fields say what the address says, as after Back. */
function fill(form) {
  const said = new URLSearchParams(location.search);
  for (const field of form.elements) {
    if (field.name && field.type !== "hidden") field.value = said.get(field.name) ?? "";
  }
}

function onChoice(event) {
  const form = event.target.closest(FILTER);
  if (!form) return;
  if (event.type === "submit") event.preventDefault();
  show(form, wanted(form), { isNew: true });
}

voice.className = "sr";
voice.setAttribute("role", "status");
document.body.append(voice);
document.addEventListener("change", onChoice); // news may put another form in this one's place
document.addEventListener("submit", onChoice);
window.addEventListener("popstate", () => {
  const form = document.querySelector(FILTER);
  if (!form) return;
  fill(form);
  show(form, location.href, { isNew: false });
});
