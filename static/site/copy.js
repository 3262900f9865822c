// Puts a text on the clipboard. Where the browser does not allow that, the text is selected to be copied by hand.
async function copy(text, press, done, select) {
  try {
    await navigator.clipboard.writeText(text);
    press.textContent = done;
  } catch {
    select();
  }
}

const all = (node) => getSelection().selectAllChildren(node);
const field = document.querySelector("[data-copy-from]");

// A button copies the field of the page, or brings its text along: a hash that is shown short beside it.
for (const press of document.querySelectorAll("[data-copy]")) {
  const { copy: text, wordsDone } = press.dataset;
  const short = press.previousElementSibling;
  const select = text ? () => { short.textContent = text; all(short); } : () => field.select();
  press.hidden = false;
  press.onclick = () => copy(text || field.value, press, wordsDone, select);
}

// Each block of code of a guide gets a button of its own.
const words = document.querySelector("[data-words-copy]")?.dataset;
for (const pre of words ? document.querySelectorAll("[data-copied]") : []) {
  const [code, press] = [pre.firstChild, document.createElement("button")];
  press.textContent = words.wordsCopy;
  press.onclick = () => copy(code.textContent, press, words.wordsCopied, () => all(code));
  pre.before(press);
}
