/** A game as a list of steps, and its beats: a move with what was seen after it. */

/** @param {Step} step */
export function isBeat(step) {
  return "move" in step || "restart" in step;
}

/** How many beats there are. @param {Step[]} steps */
export function beats(steps) {
  return steps.filter(isBeat).length;
}

/** Where to cut steps so that a number of beats stays. @param {Step[]} steps @param {number} count */
export function cut(steps, count) {
  let found = 0;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index];
    if (step && isBeat(step) && ++found > count) return index;
  }
  return steps.length;
}

/** @param {Step[]} steps @returns {Move[]} */
export function movesOf(steps) {
  return steps.flatMap((step) => ("move" in step ? [step.move] : []));
}

/** @param {Move[]} moves @returns {Step[]} */
export function stepsOf(moves) {
  return moves.map((move) => ({ move }));
}

/** @param {Move} one @param {Move | null | undefined} other */
export function sameMove(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {number} count @param {string} [word] */
export function counted(count, word = "move") {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** How many moves a plan that was found has. @param {{ status: string, length: number | null }} found */
export function lengthInWords({ status, length }) {
  return `${status === "optimal" ? "" : "at most "}${counted(length ?? 0)}`;
}

/** A move from tube to tube by their numbers; of a column or a ball, its numbers. @param {Move | undefined} move */
export function arrowInWords(move) {
  return move === undefined
    ? ""
    : [move]
        .flat()
        .map((each) => (typeof each === "number" ? each + 1 : each))
        .join(" → ");
}

/** A legal move in words; empty for another one. @param {Position | null} position @param {Move} move */
export function inWords(position, move) {
  return position?.words[position.legal.findIndex((each) => sameMove(each, move))] ?? "";
}
