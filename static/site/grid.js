// The results page by keyboard: Enter goes on to the next figure, saves a row after its last one and goes on to the next
// open table; "/" goes to the table number, digits outside a field do so too. A row is saved in the background, on its
// own; a refusal stays beside it with what was typed. Without script the page is one form that saves all rows.
const form = document.querySelector(".grid-form");
const said = document.getElementById("grid-said");
const jump = document.getElementById("jump");

const rowOf = (node) => node.closest(".grid-rows > li");
const inner = (row) => row.querySelector(".grid-row");
const fieldsOf = (row) => [...row.querySelectorAll("input:not([type=hidden]), select")];
const rows = () => [...form.querySelectorAll(".grid-rows > li")];

const saves = new Set();
let newest = 0;
let atStep = false;

// What is typed must not be swapped away by news of the table: the row is no part of the live page until it is saved.
function hold(row) {
  row.removeAttribute("data-part");
  row.dataset.typed = "";
  const button = row.querySelector("button[data-words-save]"); // other figures than those reported are not confirmed
  if (button) button.firstElementChild.textContent = button.dataset.wordsSave;
}

function release(row) {
  row.setAttribute("data-part", "");
  delete row.dataset.typed;
}

function focusOn(field) {
  field?.focus();
  field?.select?.();
}

function goTo(row) {
  focusOn(fieldsOf(row)[0] ?? row.querySelector("button, a[href]"));
  row.scrollIntoView({ block: "nearest" });
}

// The next open table below, else one above; last the row that was refused, or the organiser's next step.
function goOn(row) {
  const all = rows();
  const at = all.indexOf(row);
  const around = [...all.slice(at + 1), ...all.slice(0, at)];
  const isFree = (each) => inner(each).hasAttribute("data-open") && !("saving" in each.dataset);
  const next = around.find((each) => isFree(each) && !inner(each).classList.contains("refused")) ?? around.find(isFree);
  if (next) goTo(next);
  return Boolean(next);
}

function body(row, button) {
  const data = new FormData();
  data.append("csrfmiddlewaretoken", form.elements.namedItem("csrfmiddlewaretoken").value);
  for (const field of row.querySelectorAll("input[name], select[name]")) data.append(field.name, field.value);
  data.append(button.name, button.value);
  return data;
}

async function save(row, button, sent) {
  const number = inner(row).dataset.number;
  row.dataset.saving = "";
  row.setAttribute("aria-busy", "true");
  try {
    const options = { method: "POST", body: sent, headers: { "X-Fragment": "true" } };
    const answer = await fetch(form.action, options);
    if (answer.status >= 500 || answer.status === 403 || answer.status === 429) throw new Error(String(answer.status));
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), row);
  } catch {
    said.textContent = said.dataset.wordsLost.replace("{n}", number);
    said.classList.remove("sr");
    inner(row).classList.add("refused");
  } finally {
    delete row.dataset.saving;
    row.removeAttribute("aria-busy");
  }
}

// Answers can overtake each other: what an older page says of other rows is not shown over what a newer one said.
function versionOf(page) {
  const channels = page.querySelector("[data-live]")?.dataset.live.split(",") ?? [];
  return channels.reduce((sum, each) => sum + (Number(each.split("@")[1]) || 0), 0);
}

// The saved row as it is now, and every part in which nobody is typing. A refused row stays held: news of another table
// must not take the refusal away, nor what was typed.
function show(fresh, row) {
  const active = document.activeElement?.id;
  const place = fresh.getElementById(row.id);
  document.dispatchEvent(new Event("page-changed"));
  if (place) {
    row.replaceChildren(...place.childNodes);
    const wrong = row.querySelector(".wrong");
    if (!wrong) release(row);
    said.classList.add("sr");
    said.textContent = wrong ? wrong.textContent.trim() : said.dataset.wordsSaved.replace("{n}", inner(row).dataset.number);
  }
  // It was the last table of its round, and the page goes on with the others, or with the next round.
  if (!place) {
    release(row);
    if (fresh.querySelector(".grid-rows > li")) row.remove();
    else location.reload();
  }
  if (versionOf(fresh) >= newest) swapAll(fresh, row);
  if (active && document.activeElement === document.body) document.getElementById(active)?.focus();
}

function swapAll(fresh, row) {
  newest = versionOf(fresh);
  syncRows(fresh);
  for (const part of document.querySelectorAll("[data-part]")) {
    const next = fresh.getElementById(part.id);
    const isBusy = part === row || "saving" in part.dataset || part.contains(document.activeElement);
    if (next && !isBusy) part.replaceChildren(...next.childNodes);
  }
}

// Matches and rounds that were drawn since come in; rounds that are over go, unless somebody is typing there.
function syncRows(fresh) {
  insertMissing(form, fresh.querySelectorAll(".grid-form > section"));
  for (const list of fresh.querySelectorAll(".grid-rows")) {
    const here = document.getElementById(list.id);
    if (here) insertMissing(here, list.querySelectorAll(":scope > li"));
  }
  for (const section of fresh.querySelector(".grid-form") ? form.querySelectorAll(":scope > section") : []) {
    const isUsed = section.contains(document.activeElement) || section.querySelector("[data-typed], [data-saving]");
    if (!fresh.getElementById(section.id) && !isUsed) section.remove();
  }
}

function insertMissing(parent, nodes) {
  let before = null; // the node of the page after which the next one comes
  for (const node of nodes) {
    const here = document.getElementById(node.id) ?? document.importNode(node, true);
    if (!here.isConnected && before) before.after(here);
    else if (!here.isConnected) parent.insertBefore(here, parent.querySelector(`:scope > ${node.tagName}`));
    before = here;
  }
}

// Nothing is open any more: a refused row is looked at first, then the organiser's next step.
function rest(row) {
  const refused = rows().find((each) => inner(each).classList.contains("refused"));
  atStep = !refused && !goOn(row);
  if (refused) goTo(refused);
  keepAtStep();
}

// The step may come with later news, or be swapped for the next one: the focus goes with it, or to a match that is
// called meanwhile; where nothing is to be done, to the table number.
function keepAtStep() {
  const at = document.activeElement;
  if (!atStep || !(at === document.body || at === jump || at.closest("#step"))) return;
  const open = rows().find((each) => inner(each).hasAttribute("data-open"));
  if (open && !jump.value) {
    atStep = false;
    goTo(open);
  } else if (!at.closest("#step") && !jump.value) (document.querySelector("#step .main") ?? jump).focus();
}

function onNews(event) {
  if (event.detail) syncRows(event.detail);
  keepAtStep();
}

function submit(row, button) {
  if ("saving" in row.dataset) return;
  const sent = body(row, button);
  const isInside = row.contains(document.activeElement);
  const done = save(row, button, sent);
  saves.add(done);
  done.then(() => saves.delete(done));
  if (isInside && !goOn(row)) Promise.all(saves).then(() => rest(row));
}

function onEnter(event) {
  const row = rowOf(event.target);
  if (!row || !event.target.matches("input, select")) return;
  event.preventDefault();
  const fields = fieldsOf(row);
  const next = fields[fields.indexOf(event.target) + (event.shiftKey ? -1 : 1)];
  if (next) focusOn(next);
  else if (!event.shiftKey) submit(row, row.querySelector("button[name]"));
}

// The same box one table up or down, as in a spreadsheet.
function onArrow(event, step) {
  const row = event.target.matches("input") ? rowOf(event.target) : null;
  if (!row) return;
  const all = rows().filter((each) => fieldsOf(each).length);
  const other = all[all.indexOf(row) + step];
  if (!other) return;
  event.preventDefault();
  const at = fieldsOf(row).indexOf(event.target);
  focusOn(fieldsOf(other)[at] ?? fieldsOf(other).at(-1));
}

function jumpTo(number) {
  // A table of the hall is played at several times in turn: the one that takes figures now.
  const there = rows().filter((each) => inner(each).dataset.number === number && !("waits" in inner(each).dataset));
  const row = there.find((each) => fieldsOf(each).length) ?? there[0];
  if (row) goTo(row);
  return Boolean(row);
}

// The first digit opens the field for the table number; the others are typed into it.
function onDigit(event) {
  if (document.documentElement.hasAttribute("data-no-keys") || event.target.closest("input, select, textarea")) return;
  jump.value = event.key;
  jump.focus();
  event.preventDefault();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === jump) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (jumpTo(jump.value.trim())) jump.value = "";
      else jump.select();
    }
    return;
  }
  if (event.key === "Enter") onEnter(event);
  else if (event.key === "ArrowDown") onArrow(event, 1);
  else if (event.key === "ArrowUp") onArrow(event, -1);
  else if (event.key === "/" && rowOf(event.target)) {
    event.preventDefault();
    focusOn(jump);
  } else if (/^[0-9]$/.test(event.key)) onDigit(event);
}

if (form) {
  document.querySelector(".jump").hidden = false;
  document.addEventListener("keydown", onKey);
  document.addEventListener("page-refreshed", onNews);
  document.addEventListener("pointerdown", () => { atStep = false; });
  form.addEventListener("input", (event) => {
    const row = rowOf(event.target);
    if (row) hold(row);
  });
  form.addEventListener("submit", (event) => {
    const row = event.submitter ? rowOf(event.submitter) : null;
    if (!row) return; // everything at once: an ordinary form
    event.preventDefault();
    submit(row, event.submitter);
  });
  addEventListener("beforeunload", (event) => {
    const isOpen = rows().some((row) => "typed" in row.dataset && fieldsOf(row).some((field) => field.value !== field.defaultValue));
    if (isOpen && !form.dataset.sent) event.preventDefault();
  });
}
