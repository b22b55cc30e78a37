// My turn on the phone: lay a path card, play an action card, discard; what cannot be done says why.
import { button, el } from "./dom.js";
import { askThenSend, Sheet } from "./dialogs.js";
import { freeCells } from "./faces.js";
import { cardPicker, CellChooser, Placement } from "./placing.js";
import { DEALINGS, deal } from "./phone_dealings.js";
import { icon } from "./players.js";
import { word } from "./words.js";

const ACTIONS = ["break", "repair", "rockfall", "map", ...DEALINGS];
/** Kind of action card -> its symbol, where that has another name. */
const PICTURES = {
  break: "broken-pickaxe",
  repair: "pickaxe",
  inspect: "inspection",
  trap: "trapped",
  discard_to_clear: null,
};

/** A big button; when it cannot be used, the reasons stand below it. */
export function choice(label, may, onClick, picture = null, key = label) {
  const why = may.ok ? [] : may.why.map((one) => one.text);
  const id = `why-${key}`;
  return el(
    "div",
    { class: "choice-block" },
    el(
      "button",
      {
        type: "button",
        class: may.ok ? "button wide big main" : "button wide big",
        "aria-disabled": may.ok ? null : "true",
        "aria-describedby": why.length ? id : null,
        "data-key": key,
        on: { click: () => may.ok && onClick() },
      },
      picture ? icon(picture) : null,
      label,
    ),
    why.length ? el("p", { class: "why", id }, why.join(" ")) : null,
  );
}

/** Whether players' photos are what watches the table. */
export function takesPhotos({ camera }) {
  return camera?.source === "photo" && camera.state !== "off";
}

const photoLink = (looks) =>
  el("a", { class: looks, href: `/p/${document.body.dataset.code}/camera` }, word("path.take"));

/**
 * What can be done on a turn. `line` sends; `onMap` and `onInspect` are called when
 * there is something to be looked at; the sheets that open are kept in `open` to be closed when the turn is over.
 */
export class Turn {
  constructor(line, { onMap, onInspect }) {
    this.line = line;
    this.onMap = onMap;
    this.onInspect = onInspect;
    this.open = null;
  }

  get view() {
    return this.line.view;
  }

  /** The three big buttons; where photos are the camera, the way to take one before them. */
  buttons(me) {
    const { may } = me;
    const actions = {
      ok: ACTIONS.some((name) => may[name]?.ok),
      why: may.discard.ok ? [{ text: word("turn.no_action") }] : may.map.why,
    };
    return [
      takesPhotos(this.view) ? photoLink("button main wide big") : null,
      choice(word("do.path"), may.path, () => this.path(), null, "path"),
      choice(word("do.action"), actions, () => this.actions(), null, "action"),
      choice(word("do.discard"), may.discard, () => this.discard(), null, "discard"),
    ].filter((node) => node !== null);
  }

  sheet(options) {
    this.open = new Sheet(options);
    return this.open;
  }

  ask(options) {
    this.open = askThenSend(this.line, options);
    return this.open;
  }

  path() {
    const photos = takesPhotos(this.view);
    const watched = this.view.camera?.state === "watching";
    const how = photos ? "path.photo" : watched ? "path.camera" : "path.no_camera";
    const pick = (sheet) => [
      el("p", { class: "word-note" }, word(how)),
      photos ? photoLink("button main wide") : null,
      el("p", { class: "soft" }, word("path.tap")),
      ...cardPicker(this.view.faces, (face) =>
        sheet.turnTo(word("path.where"), this.placement(sheet, face, pick)),
      ),
    ];
    this.sheet({ title: word("do.path"), roomy: true, build: pick });
  }

  placement(sheet, face, pick) {
    const { board } = this.view;
    return new Placement({
      board,
      face,
      cells: freeCells(board),
      label: word("path.lay"),
      confirm: (cell, turned) => sheet.send(this.line, { do: "place", cell, face, turned }),
      back: () => sheet.turnTo(word("do.path"), pick(sheet)),
    }).node;
  }

  actions() {
    const { may } = this.view.me;
    this.sheet({
      title: word("do.action"),
      build: (sheet) =>
        ACTIONS.filter((name) => name in may).map((name) =>
          choice(
            word(`do.${name}`),
            may[name],
            () => (sheet.close(), this.play(name)),
            name in PICTURES ? PICTURES[name] : name,
            name,
          ),
        ),
    });
  }

  play(name) {
    if (DEALINGS.includes(name)) deal(this, name, name === "inspect" ? this.onInspect : undefined);
    else this[name]();
  }

  name(seat) {
    return this.view.seats.find((one) => one.seat === seat).name;
  }

  /** A list of players with the tools to choose from beside each. */
  toolChoices(rows, label, onPick) {
    return rows.map(({ seat, tools }) =>
      el(
        "section",
        { class: "stack" },
        el("h3", {}, this.name(seat), seat === this.view.me.seat ? ` ${word("you")}` : ""),
        el(
          "div",
          { class: "row tool-choice" },
          tools.map((tool) => button([icon(label(tool)), word(`tool.${tool}`)], () => onPick(seat, tool))),
        ),
      ),
    );
  }

  break() {
    this.sheet({
      title: word("break.whose"),
      build: (sheet) =>
        this.toolChoices(
          this.view.me.breakable,
          (tool) => `broken-${tool}`,
          (target, tool) => {
            sheet.close();
            this.ask({
              title: word("break.really", { name: this.name(target), tool: word(`broken.${tool}`) }),
              text: word("break.lay", { name: this.name(target) }),
              yes: word("done_so"),
              command: { do: "break", target, tool },
            });
          },
        ),
    });
  }

  repair() {
    this.sheet({
      title: word("repair.which"),
      build: (sheet) =>
        this.toolChoices(
          this.view.me.repairable,
          (tool) => tool,
          (target, tool) => sheet.turnTo(word("repair.card"), this.repairCards(sheet, target, tool)),
        ),
    });
  }

  /** Which repair card was played, of those that can still be in a hand: the one tool alone, or two of them. */
  repairCards(sheet, target, tool) {
    const cards = this.view.me.repair_cards.filter((card) => card.includes(tool));
    return [
      el("p", {}, word("repair.lay", { name: this.name(target), tool: word(`tool.${tool}`) })),
      ...cards.map((card) =>
        button(
          card.flatMap((one, index) => [
            index ? el("span", {}, word("repair.or")) : null,
            icon(one),
            el("span", {}, word(`tool.${one}`)),
          ]),
          () => sheet.send(this.line, { do: "repair", target, tool, card }),
          { class: "button wide big" },
        ),
      ),
    ];
  }

  rockfall() {
    this.cell({
      title: word("rockfall.which"),
      text: word("rockfall.how"),
      cells: this.view.me.rockfall_cells,
      really: word("rockfall.really"),
      yes: word("rockfall.yes"),
      name: "rockfall",
    });
  }

  map() {
    const physical = this.view.options.goals === "physical";
    this.cell({
      title: word("map.which"),
      text: word(physical ? "map.physical" : "map.dealt"),
      cells: this.view.me.map_cells,
      really: word("map.really"),
      yes: word("map.yes"),
      name: "map",
      onDone: physical ? undefined : this.onMap,
    });
  }

  /** Choose one cell on a small board, see it marked, confirm. */
  cell({ title, text, cells, really, yes, name, onDone = () => {} }) {
    let chosen = null;
    const chooser = new CellChooser(title);
    const send = async () => {
      const problems = await sheet.send(this.line, { do: name, cell: chosen });
      if (!problems.length) onDone();
    };
    const confirm = button(yes, send, { class: "button main wide", disabled: true });
    const note = el("p", { class: "soft", role: "status" }, text);
    const draw = () =>
      chooser.draw(this.view.board, {
        spots: cells,
        choosing: true,
        chosen,
        onTap: (cell) => {
          chosen = cell;
          confirm.disabled = false;
          note.textContent = really;
          draw();
        },
      });
    const sheet = this.sheet({ title, roomy: true, build: () => [note, chooser.node, confirm] });
    draw();
    requestAnimationFrame(() => chooser.look(cells[0]));
  }

  /** One card in the base game; in the expansion one, two or three. */
  discard() {
    if (this.view.options.game === "base") {
      this.ask({
        title: word("do.discard"),
        text: word("discard.how"),
        yes: word("done_so"),
        command: { do: "discard" },
      });
      return;
    }
    const most = Math.min(3, this.view.me.hand);
    this.sheet({
      title: word("do.discard"),
      build: (sheet) => [
        el("p", {}, word("discard.many")),
        ...Array.from({ length: most }, (_, index) =>
          button(
            word("discard.count", { n: index + 1 }),
            () => {
              sheet.close();
              this.ask({
                title: word("do.discard"),
                text: word("discard.count", { n: index + 1 }),
                yes: word("done_so"),
                command: { do: "discard", count: index + 1 },
              });
            },
            { class: "button wide big" },
          ),
        ),
      ],
    });
  }

  /** A new view has come: a sheet for a turn that is over goes away. */
  follow(view) {
    if (this.open && (view.phase !== "round" || !view.me.to_move)) {
      this.open.close();
      this.open = null;
    }
  }
}
