// The expansion's action cards on the phone: what goes against one player, and the thefts after the share-out.
import { askThenSend } from "./dialogs.js";
import { button, el } from "./dom.js";
import { word } from "./words.js";

const others = (view) => view.seats.filter((seat) => seat.seat !== view.me.seat);
const lying = (name) => (view) => view.seats.filter((seat) => seat.before.includes(name));

/** Card -> the seats it can be played against; null: against nobody. */
const AGAINST = {
  theft: null,
  hands_off: lying("theft"),
  swap_hands: others,
  swap_hats: (view) => view.seats,
  inspect: others,
  trap: (view) => others(view).filter((seat) => !seat.before.includes("trapped")),
  free: lying("trapped"),
};

export const DEALINGS = [...Object.keys(AGAINST), "discard_to_clear"];

/** Plays one of these cards: whom against, then whether really. `onDone` is called when it was played. */
export function deal(turn, name, onDone = () => {}) {
  const { view } = turn;
  const ask = (title, fields) =>
    turn.ask({
      title,
      text: word(`how.${name}`),
      yes: word("done_so"),
      command: { do: name, ...fields },
      onDone,
    });
  if (name === "discard_to_clear") {
    const tokens = view.me.before.map((token) => [word(`token.${token}`), { token }]);
    choose(turn, word("clear.which"), tokens, (label, fields) => ask(label, fields));
  } else if (AGAINST[name] === null) {
    ask(word(`do.${name}`), {});
  } else {
    const seats = AGAINST[name](view).map((seat) => [seat.name, { target: seat.seat }]);
    choose(turn, word(`whom.${name}`), seats, (label, fields) =>
      ask(word("whom.really", { card: word(`do.${name}`), name: label }), fields),
    );
  }
}

function choose(turn, title, choices, onChoice) {
  turn.sheet({
    title,
    build: (sheet) =>
      choices.map(([label, fields]) =>
        button(label, () => (sheet.close(), onChoice(label, fields)), { class: "button wide big" }),
      ),
  });
}

/** After the share-out: whom to steal from, when it is this seat's theft. */
export function stealing(view, line) {
  if (view.phase !== "stealing" || view.stealing !== view.me.seat) return [];
  return [
    el("h2", {}, word("steal.whom")),
    ...others(view).map((seat) =>
      button(
        seat.name,
        () =>
          askThenSend(line, {
            title: word("whom.really", { card: word("do.theft"), name: seat.name }),
            yes: word("done_so"),
            command: { do: "steal", target: seat.seat },
          }),
        { class: "button wide big" },
      ),
    ),
  ];
}
