// One link goes to the clipboard. Where the browser does not allow that, its text is selected to be copied by hand.
const button = document.querySelector("[data-copy]");
const field = document.querySelector("[data-copy-from]");

if (button && field) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.wordsDone;
    } catch {
      field.focus(); // selected: the keys of the device copy it
    }
  });
}

// Each block of code of a guide gets a button of its own: without script there is none.
const words = document.querySelector("[data-words-copy]")?.dataset;

async function copyCode(pre, press) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    press.textContent = words.wordsCopied;
  } catch {
    getSelection().selectAllChildren(pre); // selected: the keys of the device copy it
  }
}

for (const pre of words ? document.querySelectorAll("[data-copied]") : []) {
  const press = Object.assign(document.createElement("button"), { type: "button", textContent: words.wordsCopy });
  press.addEventListener("click", () => copyCode(pre, press));
  pre.before(press);
}
