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
    timer = is && setTimeout(on, STEP_MS);
    viewer.pressed(is);
  };
  const on = () => {
    if (here !== place() || !viewer.isConnected) return viewer.timer || run(false);
    if (here === until) viewer.say(viewer.words.at(viewer.spot));
    else viewer.control("after");
    here = place();
    run(here !== until);
    if (!timer && next) setTimeout(() => here === place() && location.replace(next), 4 * STEP_MS);
  };
  viewer.addEventListener("click", (event) => {
    if (!event.target.closest(".rp-play") || here !== place() || here === until) return;
    event.stopPropagation();
    run(!timer);
  }, true);
  run(true);
}

if (viewer && !location.hash) viewer.addEventListener("ready", demonstrate, { once: true });
