// What the table has to settle: the verdict on the new card, goal cards to lay, and where camera and game disagree.
import { askingSections } from "./asking.js";
import { button, el, show } from "./dom.js";
import { faceInWords, faceUrl, goalPlace, parseLaid } from "./faces.js";
import { goalsToLay, verdictWords } from "./verdict.js";
import { word } from "./words.js";

/** `send(command)` sends for the host; `host` offers the ways out by tapping. */
export class Settle {
  constructor({ verdict, lay, asking, disagreements }, host, send) {
    Object.assign(this, { verdict, lay, asking, disagreements, host, send });
    this.laid = new Set();
  }

  draw(view) {
    const referee = view.referee ?? {};
    show(this.verdict, [referee.verdict, view.host, view.seats.length], () =>
      this.drawVerdict(view, referee.verdict),
    );
    const lay = this.toLay(view);
    show(this.lay, lay, () => this.drawLay(view, lay));
    const moving = view.phase === "round" && view.seats.find(({ seat }) => seat === view.to_move)?.name;
    show(this.disagreements, [referee.disagreements, view.host, moving], () =>
      this.drawDisagreements(view, referee.disagreements ?? [], moving),
    );
    const asking = view.phase === "asking" ? view.board.asking : [];
    const tell = view.host ? (cell, face) => this.send({ do: "reveal_goal", cell, face }) : null;
    show(this.asking, [asking, view.host], () => askingSections(asking, tell));
    this.asking.hidden = !asking.length;
    this.verdict.hidden = !referee.verdict;
    this.lay.hidden = !lay.length;
    this.disagreements.hidden = !referee.disagreements?.length;
  }

  drawVerdict(view, verdict) {
    if (!verdict) return [];
    const { cell, face, turned } = verdict;
    const extra =
      view.host && !verdict.legal
        ? [
            button(word("settle.accept"), () => this.send({ do: "accept", cell, face, turned })),
            button(word("settle.other_card"), () => this.host.pickNew(cell)),
          ]
        : [];
    return verdictWords(view, verdict, { extra });
  }

  drawDisagreements(view, list, moving) {
    if (!list.length) return [];
    return [
      el("h2", {}, word("settle.title")),
      el(
        "ul",
        { class: "stack" },
        list.map((one, index) =>
          el(
            "li",
            { class: "word-note stack" },
            el("p", {}, el("span", { class: one.cell ? "number" : "mark" }, one.cell ? index + 1 : "!"), one.text),
            view.host ? el("div", { class: "row" }, this.ways(one, moving)) : null,
          ),
        ),
      ),
    ];
  }

  /**
   * The buttons that settle one disagreement: the camera is right, or another card is.
   * `moving`: the name of who has the turn, and may have taken a missing card away by a rockfall.
   */
  ways({ code, cell, params }, moving) {
    if (!cell || code === "goal_to_lay" || code === "clear_away") return [];
    const correct = (laid) => this.send({ do: "correct", cell, ...laid });
    const ways = [];
    if (code === "missing" && moving)
      ways.push(
        button(word("settle.rockfall", { name: moving }), () => this.send({ do: "rockfall", cell })),
      );
    if (code === "missing")
      ways.push(button(word("correct.take"), () => correct({ face: null, turned: false })));
    const seen = code === "extra" ? params.card : params.seen;
    if (seen) ways.push(button(word("settle.camera_right"), () => correct(parseLaid(seen))));
    ways.push(button(word("settle.other_card"), () => this.host.correct(cell)));
    return ways;
  }

  /** Goal cards to lay: what the camera misses, or without a camera each one until somebody says that it lies there. */
  toLay(view) {
    if (!["round", "asking"].includes(view.phase)) return [];
    if (view.camera.state === "watching") return goalsToLay(view);
    return view.board.dealt.filter((goal) => !this.laid.has(layKey(view, goal)));
  }

  drawLay(view, lay) {
    if (!lay.length) return [];
    const items = lay.map((goal) =>
      el(
        "li",
        {},
        el("img", {
          class: goal.turned ? "card-picture turned" : "card-picture",
          src: faceUrl(goal.face),
          alt: "",
          width: 56,
          height: 87,
        }),
        el(
          "span",
          { class: "stack" },
          el("strong", {}, faceInWords(goal.face, goal.turned)),
          word(goalPlace(goal.cell)),
          view.camera.state === "watching"
            ? null
            : button(word("lay.done"), () => (this.laid.add(layKey(view, goal)), this.draw(this.host.view))),
        ),
      ),
    );
    return [el("h2", {}, word("lay.title")), el("ul", { class: "lay-list" }, items)];
  }
}

function layKey(view, goal) {
  return `${view.round}|${goal.cell}|${goal.face}`;
}
