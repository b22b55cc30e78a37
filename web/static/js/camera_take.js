// Taking a photo with the device's own camera and sending it: made smaller first, as far as the browser can.
import { fill, reasons } from "./dom.js";
import { post } from "./camera_line.js";
import { word } from "./words.js";

const LARGEST_SIDE = 2560; // px; the reader needs no more, and a photo of 12 megapixels takes long on a bad Wi-Fi
const QUALITY = 0.9;

/** Serves the photo button of the page. `onSent(answer)` hears that one has arrived. */
export function takePhotos(place, onSent) {
  const file = place.querySelector(".take-file");
  const told = place.querySelector(".take-told");
  const refused = place.querySelector(".take-refused");
  file.addEventListener("change", async () => {
    const [photo] = file.files;
    if (!photo) return;
    fill(refused);
    told.textContent = word("photo.sending");
    file.disabled = true;
    const { problems, answer } = await post(place.dataset.send, await smaller(photo));
    file.disabled = false;
    file.value = ""; // the same photo may be chosen again
    told.textContent = "";
    fill(refused, reasons(problems));
    if (!problems.length) onSent(answer, (text) => (told.textContent = text));
  });
}

/** The photo as a JPEG of at most LARGEST_SIDE, turned upright; as it is where the browser cannot read it. */
async function smaller(photo) {
  let picture;
  try {
    picture = await createImageBitmap(photo);
  } catch (error) {
    if (error instanceof DOMException) return photo; // the server says what it makes of it
    throw error;
  }
  const scale = Math.min(1, LARGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const brush = canvas.getContext("2d");
  brush.imageSmoothingQuality = "high";
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return blob ?? photo;
}
