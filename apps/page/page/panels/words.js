/** What the page says in words: in the proof, and to screen readers after each move. */

import { NEVER } from "../core/prover.js";
import { beats, counted } from "../core/steps.js";

/** What a proof is worth: a board may be another one than was meant. @param {State["look"]} look */
export const provedInWords = (look) => (look?.doubted ? "if the board is right" : "proved");

/** One sentence about what is left. @param {Verdict} verdict @param {State["look"]} look */
function leftInWords(verdict, look) {
  switch (verdict.kind) {
    case "optimal":
      return `${counted(verdict.low)} left, ${provedInWords(look)}.`;
    case "searching":
    case "open":
      return verdict.high === null
        ? `At least ${counted(verdict.low)} left.`
        : `${verdict.low} to ${counted(verdict.high)} left so far.`;
    case "lost":
      if (verdict.takeBack === NEVER) return `This board has no solution: ${provedInWords(look)}.`;
      return verdict.takeBack
        ? `Lost: take back ${counted(verdict.takeBack)}.`
        : "Lost: no way leads to the goal from here.";
    case "failed":
      return verdict.words;
    default:
      return "";
  }
}

/** A number, what it is, and the small print. @param {Advice | null} advice @returns {[string, string, string]} */
export function adviceInWords(advice) {
  if (!advice) return ["?", "cells are covered", ""];
  const { route, left, alive, fillings } = advice;
  const drawn = advice.drawn ? " drawn" : "";
  if (advice.hopeless) return ["None", "nothing solves this board", "Proved, whatever is covered."];
  if (advice.stuck) return ["?", "no way to see more was found", "Whether there is one, and a plan, isn't known."];
  if (advice.restart) {
    const why = advice.alive
      ? "Nothing more can be seen from here."
      : `None of ${fillings} fillings${drawn} can be solved from here.`;
    return ["–", "begin again", `${advice.known ? "Nothing leads on: proved." : why} What was seen stays known.`];
  }
  if (advice.known) return [String(route.length), "moves left, proved", ""];
  const rest = Math.round(left);
  const some = alive < fillings ? ` It can be solved for ${alive} of ${fillings} fillings${drawn}.` : "";
  return [
    `≈ ${route.length + rest}`,
    "moves left, estimated",
    `${advice.shows ? "Shows" : "Tells"} something new in ${counted(route.length)}, then about ${rest} more if this ` +
      `attempt succeeds${drawn && "; estimated"}.${some}`,
  ];
}

/** What to tell people who can't see it; empty for nothing. @param {State} state @param {State} before */
export function spoken(state, before) {
  const { position, verdict } = state;
  if (!position) return "";
  const words = [];
  if (state.board !== before.board) words.push(`${position.name}: ${position.summary}.`);
  else if (position !== before.position) {
    const back = beats(state.made) < beats(before.made);
    if (back) words.push(`Back to move ${beats(state.made)}.`);
    else if (position.last) words.push(`${position.last}.`);
    if (position.goal) words.push(`Solved in ${counted(beats(state.made))}.`);
  } else if (state.error && state.error !== before.error) words.push(state.error);
  else if (state.selected !== before.selected && state.selected !== null) words.push(chosen(state));
  const isWanted = state.screen !== "levels" || state.settings.proof !== "hidden";
  const settled = verdict.kind !== "searching" && verdict.kind !== "goal" && verdict.kind !== "hidden";
  if (verdict !== before.verdict && settled && isWanted && !state.playing) words.push(leftInWords(verdict, state.look));
  return words.join(" ");
}

/** @param {State} state */
function chosen({ position, selected }) {
  if (!position || typeof selected !== "number") return "";
  const targets = position.legal.flatMap((move) =>
    Array.isArray(move) && move[0] === selected ? [Number(move[1]) + 1] : [],
  );
  return `Tube ${selected + 1} chosen. ${targets.length ? `It can go to ${targets.join(", ")}.` : ""}`;
}
