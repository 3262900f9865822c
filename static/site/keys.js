// Keys and rows: "/" goes to the search field, "?" shows the keys, a click in a row follows its first link. No page
// needs it: every row has a real link, every panel is a <details>.
import { keep, kept } from "./kept.js";

const help = document.getElementById("keys");
const root = document.documentElement;
const KEPT = "hanami letters"; // "off": a visitor switched the letter keys off
const PANELS = "details[open]:is(.why,.menu,.further)"; // one at a time

function lettersAllowed() {
  return !root.hasAttribute("data-no-keys");
}

const toggle = document.querySelector("[data-letters]");
if (toggle) {
  const show = () => { toggle.textContent = lettersAllowed() ? toggle.dataset.wordsOff : toggle.dataset.wordsOn; };
  root.toggleAttribute("data-no-keys", kept(KEPT) === "off");
  show();
  toggle.addEventListener("click", () => {
    root.toggleAttribute("data-no-keys");
    keep(KEPT, lettersAllowed() ? "on" : "off");
    show();
  });
}

const opener = document.querySelector("[data-keys]");
if (opener && help) {
  opener.hidden = false;
  opener.addEventListener("click", () => help.showPopover());
}

function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function closeOpenPanels(except = null) {
  for (const panel of document.querySelectorAll(PANELS)) {
    if (panel !== except) panel.open = false;
  }
}

/** The page's own field, else that of the whole site; on phones this has a page of its own. */
function goToSearch() {
  const all = document.querySelector("[data-search-all]");
  const field = document.querySelector("[data-search]") ?? all;
  if (field?.checkVisibility()) field.focus();
  else location.assign(all.form.action);
}

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const inside = document.activeElement?.closest(PANELS);
    inside?.querySelector("summary").focus();
    closeOpenPanels();
    return;
  }
  if (!lettersAllowed() || isTyping(event.target)) return;
  if (event.key === "/") {
    event.preventDefault();
    goToSearch();
  } else if (event.key === "?" && help) {
    help.togglePopover(); // a modal has the whole page restyled
  }
}

function onClick(event) {
  const target = event.target;
  if (!(target instanceof Element)) return;
  closeOpenPanels(target.closest(PANELS));
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const row = target.closest("tr[data-row]");
  if (!row || target.closest("a, button, summary, details, input, label") || String(getSelection())) return;
  row.querySelector("a[href]")?.click();
}

// A form is sent once.
function onSubmit(event) {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  event.submitter?.setAttribute("aria-busy", "true");
}

function onShow(event) {
  if (!event.persisted) return; // back from the page store: forms may be sent again
  document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
  document.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.(PANELS)) closeOpenPanels(event.target);
}, true);
window.addEventListener("pageshow", onShow);

// A dropped file is the chosen one: its name is shown by the browser itself.
const drop = document.querySelector("[data-drop]");
drop?.addEventListener("dragover", (event) => event.preventDefault());
drop?.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  drop.querySelector("[type=file]").files = event.dataTransfer.files;
  drop.querySelector("[value=file]")?.click();
});
