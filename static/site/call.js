// Tells somebody who looks elsewhere that their table is called while this page is open: by the title of the tab, and
// with sound and vibration where they have switched that on.
import { keep, kept } from "./kept.js";

const NAME = "hanami call";
const box = document.querySelector("[data-call-signal]");
const choice = box?.querySelector("input");
const title = document.title;
let known = called()?.dataset.called;
let audio = null;

function called() {
  return document.querySelector("[data-called]");
}

const isWanted = () => kept(NAME) === "1";

function choose() {
  if (!keep(NAME, choice.checked ? "1" : "0")) choice.checked = false;
  // Browsers let a page sound only after a press on it: this is one, and the signal is heard at once.
  if (choice.checked) signal();
}

function signal() {
  navigator.vibrate?.([300, 100, 300]);
  audio ??= new AudioContext();
  audio.resume();
  for (const [start, hertz] of [[0, 880], [0.25, 1175]]) {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.2);
  }
}

function look() {
  const now = called();
  const words = now?.textContent.trim().replace(/\s+/g, " ");
  document.title = now ? `${words} · ${title}` : title;
  if (now && now.dataset.called !== known && isWanted()) signal();
  known = now?.dataset.called;
}

if (box) {
  box.hidden = false;
  choice.checked = isWanted();
  choice.addEventListener("change", choose);
  look();
  new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
}
