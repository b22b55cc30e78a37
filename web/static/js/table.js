// The table screen: the public board for everybody to see, and the host's controls when this is the host's browser.
import { fill, reasons, show, svg } from "./dom.js";
import { Board } from "./board.js";
import { trySend } from "./dialogs.js";
import { freeCells } from "./faces.js";
import { Line } from "./net.js";
import { winnerInWords } from "./outcome.js";
import { Herald, newsList, playerList, standing, turnInWords } from "./players.js";
import { CameraCorner } from "./table_camera.js";
import { End } from "./table_end.js";
import { Host } from "./table_host.js";
import { Join, showHelp } from "./table_join.js";
import { Lobby } from "./table_lobby.js";
import { Settle } from "./table_settle.js";
import { Wifi } from "./table_wifi.js";
import { boardMarks, goalsToLay, verdictGhost } from "./verdict.js";
import { word } from "./words.js";

const part = (id) => document.getElementById(id);
const code = document.body.dataset.code;
const line = new Line({
  view: `/t/${code}/view`,
  events: `/events/${code}`,
  command: `/t/${code}/command`,
  onView: draw,
  onLine: (state) => {
    part("offline").hidden = state !== "broken";
    part("gone").hidden = state !== "gone";
  },
});

const host = new Host(line);
const herald = new Herald(part("herald"));
const wifi = new Wifi(line, code, () => line.view && draw(line.view));
const join = new Join(part("join"), wifi, code);
const lobby = new Lobby(part("lobby-side"), host, send);
const end = new End(part("end"), send);
const settle = new Settle(
  {
    verdict: part("verdict"),
    lay: part("lay"),
    asking: part("asking"),
    disagreements: part("disagreements"),
  },
  host,
  send,
);
const camera = new CameraCorner(
  { stage: part("stage"), corner: part("corner"), lobby: part("lobby-camera"), chooser: part("lobby-choose") },
  line,
  code,
);
const picture = svg("svg", { class: "board calm", role: "group", "aria-label": word("board") });
part("board").append(picture);
const board = new Board(picture);

async function send(command) {
  fill(part("refused"), reasons(await trySend(line, command)));
}

function draw(view) {
  const inLobby = view.phase === "lobby";
  const ended = ["picking", "stealing", "between", "over"].includes(view.phase);
  document.body.dataset.phase = view.phase;
  part("loading").hidden = true;
  part("lobby").hidden = !inLobby;
  part("play").hidden = inLobby;
  const banner = turnInWords(view);
  show(part("turn"), banner, () => [banner]);
  if (inLobby) {
    join.draw(view);
    lobby.draw(view);
  } else {
    drawPlay(view);
  }
  if (view.host) wifi.wake();
  drawEnd(view, ended);
  drawTools(view);
  camera.draw(view);
  herald.tell([banner, view.news.at(-1)?.text ?? "", verdictInBrief(view)].join(" "));
}

function drawPlay(view) {
  const tapping = view.host && view.phase === "round";
  board.draw(view.board, {
    ghost: verdictGhost(view),
    marks: boardMarks(view),
    lay: goalsToLay(view),
    spots: tapping
      ? [...freeCells(view.board), ...view.board.cards.map((card) => card.cell), ...view.board.face_down]
      : [],
    onTap: (cell) => host.cell(cell),
  });
  camera.standClear(view);
  const awaited = [view.to_move, view.picking, view.stealing];
  show(part("seats"), [view.phase, view.seats, awaited], () => [playerList(view)]);
  show(part("standing"), [view.round, view.pile, view.discarded], () => [standing(view)]);
  show(part("news"), view.news, () => [newsList(view.news.slice(-5))]);
  settle.draw(view);
}

/** The end of a round stands where the board was; the board stays beside it. */
function drawEnd(view, ended) {
  part("end").hidden = !ended;
  part("play").classList.toggle("ended", ended);
  part("stage").classList.toggle("ended", ended);
  end.draw(ended ? view : null);
}

/** The host's tools stand only on the host's screen. */
function drawTools(view) {
  for (const node of document.querySelectorAll("[data-host-only]")) {
    node.hidden = !view.host || (node.dataset.phases && !node.dataset.phases.split(" ").includes(view.phase));
  }
  part("undo").disabled = !view.undoable;
}

function verdictInBrief(view) {
  const verdict = view.referee?.verdict;
  if (verdict) return verdict.problems.map((problem) => problem.text).join(" ");
  return view.outcome ? winnerInWords(view.outcome) : "";
}

part("show-join").addEventListener("click", () => line.view && join.open(line.view));
part("show-help").addEventListener("click", () => showHelp());
part("show-wifi").addEventListener("click", () => wifi.ask());
part("show-players").addEventListener("click", () => host.players());
part("undo").addEventListener("click", () => host.undo());
part("end-round").addEventListener("click", () => host.endRound());
part("choose-options").addEventListener("click", () => host.options());
part("choose-camera").addEventListener("click", () => camera.choose());
for (const item of part("menu").querySelectorAll("button:not([data-theme-switch])")) {
  item.addEventListener("click", () => part("menu").hidePopover?.());
}
line.start();
