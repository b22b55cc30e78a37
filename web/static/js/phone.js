// The phone page: draws the seat's own view and keeps it up to date.
import { askingSections } from "./asking.js";
import { el, fill, reasons, show } from "./dom.js";
import { askThenSend, trySend, whileBusy } from "./dialogs.js";
import { labelHolds, setTapMode, tapMode } from "./hold.js";
import { Line, Unreached } from "./net.js";
import { goldCeremony, roundOutcome, winnerInWords } from "./outcome.js";
import { stealing } from "./phone_dealings.js";
import { Fan } from "./phone_gold.js";
import { bindLock, bindOffer, rename } from "./phone_seat.js";
import { bindSecrets, lookAtGoal, lookAtRole, smallBoard, warmPictures } from "./phone_secrets.js";
import { Turn, takesPhotos } from "./phone_turn.js";
import { CellChooser } from "./placing.js";
import { Herald, lyingBefore, newsList, playerList, standing, turnInWords } from "./players.js";
import { Senses } from "./senses.js";
import { boardMarks, goalsToLay, verdictGhost, verdictWords } from "./verdict.js";
import { word } from "./words.js";

const part = (id) => document.getElementById(id);
const code = document.body.dataset.code;
const base = `/p/${code}`;
const shared = "shared" in document.body.dataset;
const tellLock = shared ? bindLock(code) : null;

const line = new Line({
  view: `${base}/view`,
  events: `/events/${code}`,
  command: `${base}/command`,
  onView: draw,
  onLine: (state) => {
    if (state === "left") location.replace(`/j/${code}`);
    if (state === "gone" && shared) location.replace(`/s/${code}`);
    part("offline").hidden = state !== "broken";
    part("gone").hidden = state !== "gone";
    part("seat").hidden = state === "gone";
  },
});

const senses = new Senses();
const turn = new Turn(line, { onMap: () => lookAtGoal(line, base), onInspect: () => lookAtRole(line, base) });
const fan = new Fan(part("fan"), line, base);
const herald = new Herald(part("herald"));
const board = smallBoard(part("board"));
const verdictBoard = new CellChooser(word("board"));
verdictBoard.node.tabIndex = 0; // it scrolls, so keys must reach it
part("verdict-board").append(verdictBoard.node);

function draw(view) {
  const { me } = view;
  const inRound = ["round", "asking"].includes(view.phase);
  part("seat").dataset.phase = view.phase;
  part("name").textContent = me.name;
  const banner = turnInWords(view, me.seat);
  const mine = (inRound && me.to_move) || Boolean(me.fan) || view.stealing === me.seat;
  senses.notice(mine, verdictInBrief(view));
  tellLock?.(mine);
  part("offer").hidden = !view.host_offered;
  part("host-screen").hidden = !view.host;
  show(part("turn"), [banner, mine], () => [el("p", { class: mine ? "turn mine" : "turn" }, banner)]);
  show(part("before"), [inRound, me.before], () => (inRound && me.before.length ? broken(me.before) : []));
  drawActions(view);
  drawAsking(view);
  drawVerdict(view);
  fan.draw(me.fan);
  part("simulated").hidden = !view.camera.simulated;
  part("role-box").hidden = !me.has_role || Boolean(view.outcome);
  part("peek-box").hidden = !me.has_peek;
  part("gold-box").hidden = !me.has_gold;
  part("inspection-box").hidden = !me.has_inspection;
  part("secret-area").hidden = !((me.has_role && !view.outcome) || me.has_peek || me.has_gold);
  show(part("outcome"), view.outcome && [view.phase, view.outcome, view.winners, view.seats], () =>
    outcome(view),
  );
  const betweenRounds = ["lobby", "between", "over"].includes(view.phase);
  part("leave").hidden = !betweenRounds;
  part("rename").hidden = !betweenRounds;
  part("board-area").hidden = view.phase === "lobby";
  board.draw(view.board, { marks: boardMarks(view), ghost: verdictGhost(view), lay: goalsToLay(view) });
  show(part("players"), [view.phase, view.seats, view.to_move, view.picking, view.stealing], () => [
    playerList(view, { mine: me.seat, roles: ["picking", "stealing"].includes(view.phase) }),
  ]);
  show(part("standing"), [view.round, view.pile, view.discarded], () =>
    view.phase === "lobby" ? [] : [standing(view)],
  );
  show(part("news"), view.news, () => [newsList(view.news.slice(-6))]);
  turn.follow(view);
  herald.tell([banner, view.news.at(-1)?.text ?? "", verdictInBrief(view)].join(" "));
  part("loading").hidden = true;
  part("seat").hidden = false;
}

function broken(before) {
  return [el("h2", {}, word("before.title")), el("ul", { class: "tools" }, lyingBefore(before))];
}

function drawActions(view) {
  const { me } = view;
  const mine = view.phase === "round" && me.to_move;
  part("actions").hidden = !mine;
  const wanted = mine ? [me.may, view.referee?.verdict, takesPhotos(view)] : null;
  show(part("actions"), wanted, () => (mine ? turn.buttons(me) : []));
}

/** What the table waits for: which goal was reached by hand, told by who laid the card; or whom this seat steals from. */
function drawAsking(view) {
  const asking = view.phase === "asking" && view.me.to_move ? view.board.asking : [];
  const send = async (command) => fill(part("refused"), reasons(await trySend(line, command)));
  const tell = (cell, face) => send({ do: "reveal_goal", cell, face });
  show(part("asking"), [asking, view.stealing, view.seats], () => [
    ...askingSections(asking, tell),
    ...stealing(view, line),
  ]);
  part("asking").hidden = !part("asking").childElementCount;
}

function drawVerdict(view) {
  const verdict = view.referee?.verdict;
  const mine = verdict && verdict.seat === view.me.seat && !verdict.legal ? verdict : null;
  part("verdict").hidden = !mine;
  show(part("verdict-words"), mine, () => (mine ? verdictWords(view, mine, { mine: true }) : []));
  if (!mine) return;
  verdictBoard.draw(
    view.board,
    { marks: mine.problems.filter((problem) => problem.edge), ghost: verdictGhost(view) },
    4,
  );
  verdictBoard.look(mine.cell);
}

function verdictInBrief(view) {
  const verdict = view.referee?.verdict;
  return verdict && verdict.seat === view.me.seat
    ? verdict.problems.map((problem) => problem.text).join(" ")
    : "";
}

/**
 * A new personal code makes every older one worthless; this phone keeps its seat by the cookie that comes with it.
 * Asked for once: after a lost answer this phone may have the old cookie, and then a second request opens nothing.
 */
async function renewLink() {
  const say = (key, kind) => fill(part("link-said"), reasons([{ text: word(key) }], kind));
  try {
    await line.make(`${base}/link`);
    say("link.renewed", "word-good");
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    say("link.unsure", "word-bad");
    await line.refresh();
  }
}

function leave() {
  askThenSend(line, {
    title: word("leave.title"),
    text: word("leave.text"),
    yes: word("leave.yes"),
    command: { do: "leave", seat: line.view.me.seat },
    grave: true,
  });
}

function outcome(view) {
  const nodes = [];
  if (view.phase === "over") nodes.push(goldCeremony(view));
  if (view.outcome && view.phase === "picking")
    nodes.push(el("p", { class: "lead" }, winnerInWords(view.outcome)));
  else if (view.outcome) nodes.push(roundOutcome(view));
  return nodes;
}

function bindTapMode() {
  const box = part("tap-mode");
  box.checked = tapMode();
  box.addEventListener("change", () => (setTapMode(box.checked), labelHolds()));
  labelHolds();
}

bindTapMode();
bindSecrets(line, base);
bindOffer(line, base);
warmPictures();
part("link-new")?.addEventListener("click", () => whileBusy(part("link-new").parentElement, renewLink));
part("leave").addEventListener("click", leave);
part("rename").addEventListener("click", () => rename(line));
line.start();
