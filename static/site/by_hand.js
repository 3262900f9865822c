// Pairing by hand: each change is checked at once, and people can be dragged from table to table. Without script the
// select boxes and "Check" do the same.
const form = document.getElementById("by-hand");
let latest = 0;

async function check(focused) {
  const turn = ++latest;
  const body = new FormData(form);
  body.set("verb", "check");
  const answer = await fetch(location.href, { method: "POST", body, headers: { Accept: "text/html" } });
  if (!answer.ok || turn !== latest) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("by-hand");
  if (!next || turn !== latest) return;
  form.replaceChildren(...next.childNodes);
  prepare();
  // The box that was used has moved to another table: the keyboard goes with it.
  document.getElementById(focused)?.focus();
}

function prepare() {
  for (const person of form.querySelectorAll("[data-person]")) person.draggable = true;
}

form.addEventListener("change", (event) => {
  if (event.target.matches("select")) check(event.target.id);
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
