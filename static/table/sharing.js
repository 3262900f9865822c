// Shares an address: by what the device has for that, else by the clipboard. Where neither is allowed it is shown.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button) return;
  const { share: url, wordsDone } = button.dataset;
  const said = button.parentElement.parentElement.querySelector("[data-shared]");
  try {
    if (navigator.share) await navigator.share({ title: document.title, url });
    else {
      await navigator.clipboard.writeText(url);
      said.textContent = wordsDone;
    }
  } catch ({ name }) {
    if (name !== "AbortError") said.textContent = url; // closed by the reader
  }
});
