// A replay that plays on to one moment (data-until: "deal.move"); then comes data-next.

const STEP_MS = 1600;

const viewer = document.querySelector("hanami-replay[data-until]");
const place = () => `${viewer.spot.deal}.${viewer.spot.move}`;

function demonstrate() {
  const { until, next } = viewer.dataset;
  let here = place();
  let timer = 0;
  const run = (is) => {
    clearTimeout(timer);
    timer = is ? setTimeout(on, STEP_MS) : 0;
    viewer.pressed(is);
  };
  const on = () => {
    if (here !== place() || !viewer.isConnected) return run(false); // the reader took over
    if (here === until) viewer.say(viewer.words.at(viewer.spot));
    else viewer.control("after");
    here = place();
    run(here !== until);
    if (here === until && next) timer = setTimeout(() => location.replace(next), 4 * STEP_MS);
  };
  // Who reads beside it can halt it, and let it go on. At its end and elsewhere the button is the viewer's.
  viewer.addEventListener("click", (event) => {
    if (!event.target.closest('[data-go="play"]')) return;
    if (here === place() && here !== until) event.stopPropagation();
    else clearTimeout(timer);
    if (here === place() && here !== until) run(!timer);
  }, true);
  run(true);
}

if (viewer && !location.hash) viewer.addEventListener("ready", demonstrate, { once: true });
