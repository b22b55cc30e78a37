// A PIN never stays in its field: a browser may keep the page as it was, and "back" would show it to the next player.
const field = document.getElementById("pin");
const forget = () => (field.value = "");

addEventListener("pagehide", forget);
addEventListener("pageshow", forget);
