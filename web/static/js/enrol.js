// Sends photographs of cards one after another, made smaller first: a phone's 12 megapixels are not needed.
const LONGEST_PX = 2600;
const QUALITY = 0.88;

const input = document.getElementById("pictures");
const told = document.getElementById("told");
const goOn = document.getElementById("go-on");
const words = input.dataset;

function say(text, kind) {
  const line = document.createElement("p");
  line.className = kind;
  line.textContent = text;
  told.append(line);
  return line;
}

/** The picture as a JPEG of at most LONGEST_PX a side; null when this browser cannot open it. */
async function smaller(file) {
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return null;
  }
  const shrink = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * shrink));
  canvas.height = Math.max(1, Math.round(picture.height * shrink));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/** Sends one picture; true when nothing was wrong with it. */
async function send(file) {
  const jpeg = await smaller(file);
  if (!jpeg) {
    say(`${file.name}: ${words.unreadable}`, "word-bad");
    return false;
  }
  try {
    const answer = await fetch(words.to, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg });
    const body = await answer.json();
    if (!answer.ok) {
      say(body.error.text, "word-bad");
      return false;
    }
    say(words.found.replace("{count}", body.cards), body.cards ? "word-good" : "word-note");
    for (const problem of body.problems) say(problem, "word-note");
    return !body.problems.length;
  } catch {
    say(`${file.name}: ${words.broken}`, "word-bad");
    return false;
  }
}

input.addEventListener("change", async () => {
  const files = [...input.files];
  told.replaceChildren();
  goOn.hidden = true;
  input.disabled = true;
  let fine = true;
  for (const [index, file] of files.entries()) {
    const line = say(words.sending.replace("{n}", index + 1).replace("{all}", files.length), "word-note");
    fine = (await send(file)) && fine;
    line.remove();
  }
  input.disabled = false;
  input.value = "";
  if (fine && files.length && document.querySelector(".by-phone")) location.reload();
  else goOn.hidden = !files.length || !document.querySelector(".by-phone");
});
