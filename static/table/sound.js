// A card that lands and one that is turned. Silent until the reader switches them on.

let context = null;

export function listen(is) {
  if (is) context ??= new AudioContext(); // browsers let it begin only where somebody has clicked
  context?.[is ? "resume" : "suspend"]();
}

/** Noise through a band around `pitch` hertz, `delay` milliseconds from now. */
function burst(delay, pitch, seconds, gain) {
  if (context?.state !== "running") return;
  const frames = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 4;
  const source = new AudioBufferSourceNode(context, { buffer });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch });
  source.connect(band).connect(new GainNode(context, { gain })).connect(context.destination);
  source.start(context.currentTime + delay / 1000);
}

export const slap = (delay) => burst(delay, 700, 0.1, 1);
export const turn = (delay) => burst(delay, 2600, 0.16, 0.35);
