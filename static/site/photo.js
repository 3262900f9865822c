// A photo is made small on the phone before it is sent: a poor network carries a tenth of it, and where it was taken
// never leaves the phone. Without script the file goes as it is, and the server does the same.
const EDGE = 1600;
const QUALITY = 0.85;

async function smaller(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, EDGE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

async function shrink(input) {
  const file = input.files[0];
  if (!file) return;
  try {
    const blob = await smaller(file);
    if (!blob || input.files[0] !== file) return; // another one was chosen meanwhile
    const list = new DataTransfer();
    list.items.add(new File([blob], "slip.jpg", { type: "image/jpeg" }));
    input.files = list.files;
    input.dataset.shrunk = String(blob.size);
  } catch {
    // no picture that this browser reads: it is sent as it is, and the server says what is wrong
  }
}

for (const input of document.querySelectorAll("input[data-shrink]")) {
  input.addEventListener("change", () => shrink(input));
}
