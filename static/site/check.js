// A form that the server checks while it is filled in: tables paired by hand, where people can be dragged, too, or a new
// event with its summary. Without script a button does the same.
const form = document.querySelector("form[data-check]");
const place = document.getElementById(form.dataset.shows);
const TYPES_MS = 400;
let latest = 0;
let timer = 0;

async function check(focused) {
  const turn = ++latest;
  const body = new FormData(form);
  body.set(...form.dataset.check.split("="));
  const answer = await fetch(location.href, { method: "POST", body, headers: { Accept: "text/html" } });
  if (!answer.ok || turn !== latest) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(place.id);
  if (!next || turn !== latest) return;
  place.replaceChildren(...next.childNodes);
  prepare();
  // The box that was used has moved to another table: the keyboard goes with it.
  if (document.activeElement === document.body) document.getElementById(focused)?.focus();
}

function prepare() {
  for (const person of form.querySelectorAll("[data-person]")) person.draggable = true;
}

form.addEventListener("input", ({ target }) => {
  if (place === form && !target.matches("select")) return;
  clearTimeout(timer);
  timer = setTimeout(check, target.matches("select") ? 0 : TYPES_MS, target.id);
});
form.addEventListener("dragstart", (event) => {
  const box = event.target.closest?.("[data-person]")?.querySelector("select");
  if (box) event.dataTransfer.setData("text/plain", box.id);
});
form.addEventListener("dragover", (event) => {
  if (event.target.closest("[data-table]")) event.preventDefault();
});
form.addEventListener("drop", (event) => {
  const table = event.target.closest("[data-table]")?.dataset.table;
  const box = document.getElementById(event.dataTransfer.getData("text/plain"));
  if (!box?.matches("#by-hand select") || table === undefined) return;
  event.preventDefault();
  box.value = table;
  check(box.id);
});
prepare();
