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
