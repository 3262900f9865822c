// Keys and rows: "/" goes to the search field, "?" opens the key help, a click anywhere in a row follows its first
// link. No page needs it: every row has a real link, every panel is a <details>.

const help = document.getElementById("keys");
const root = document.documentElement;
const KEPT = "hanami letters"; // "off": a visitor switched the letter keys off; people with an account set it there

function lettersAllowed() {
  return !root.hasAttribute("data-no-keys");
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // storage is not allowed here: nothing was kept
  }
}

const toggle = document.querySelector("[data-letters]");
if (toggle) {
  const show = () => { toggle.textContent = lettersAllowed() ? toggle.dataset.wordsOff : toggle.dataset.wordsOn; };
  root.toggleAttribute("data-no-keys", kept() === "off");
  show();
  toggle.addEventListener("click", () => {
    root.toggleAttribute("data-no-keys");
    try {
      localStorage.setItem(KEPT, lettersAllowed() ? "on" : "off");
    } catch {
      // it holds until the page is left
    }
    show();
  });
}

const opener = document.querySelector("[data-keys]");
if (opener && help) {
  opener.hidden = false;
  opener.addEventListener("click", () => help.showModal());
}

function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function closeOpenPanels(except = null) {
  for (const panel of document.querySelectorAll("details.why[open]")) {
    if (panel !== except) panel.open = false;
  }
}

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    const inside = document.activeElement?.closest("details.why[open]");
    inside?.querySelector("summary").focus();
    closeOpenPanels();
    return;
  }
  if (!lettersAllowed() || isTyping(event.target)) return;
  if (event.key === "/") {
    const field = document.querySelector("[data-search]");
    if (field) {
      event.preventDefault();
      field.focus();
    }
  } else if (event.key === "?" && help) {
    help.showModal();
  }
}

function onClick(event) {
  const target = event.target;
  if (!(target instanceof Element)) return;
  closeOpenPanels(target.closest("details.why"));
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const row = target.closest("tr[data-row]");
  if (!row || target.closest("a, button, summary, details, input, label") || String(getSelection())) return;
  row.querySelector("a[href]")?.click();
}

// A form that was sent is not sent again by a second click; the server refuses the second one as well.
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
  if (!event.persisted) return; // back from the browser's page store: forms may be sent again
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details.why[open]")) closeOpenPanels(event.target);
}, true);
window.addEventListener("pageshow", onShow);

// A dropped or chosen file fills the source field's place: its name is shown by the browser itself.
const drop = document.querySelector("[data-drop]");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    input.files = event.dataTransfer.files;
  });
}
