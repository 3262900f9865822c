// A replay that plays on to one moment (data-until: "deal.move"); then comes data-next.

const STEP_MS = 1600;

const viewer = document.querySelector("hanami-replay[data-until]");
const place = () => `${viewer.spot.deal}.${viewer.spot.move}`;

function demonstrate() {
  const { until, next } = viewer.dataset;
  let here = place();
  const on = () => {
    if (here !== place() || !viewer.isConnected) return; // the reader took over
    if (here === until) viewer.say(viewer.words.at(viewer.spot));
    else viewer.control("after");
    here = place();
    if (here !== until) setTimeout(on, STEP_MS);
    else if (next) setTimeout(() => location.replace(next), 4 * STEP_MS);
  };
  setTimeout(on, STEP_MS);
}

if (viewer && !location.hash) viewer.addEventListener("ready", demonstrate, { once: true });
