/** Sounds and vibrations, for those who have switched them on and haven't asked for less motion. */

import { completeTubes } from "../board/tubes.js";
import { isCalm } from "../core/dom.js";

const LOUDNESS = 0.05; // of 1
const NOTE = 0.09; // seconds

/** @type {Record<string, { notes: number[], shakes: number[] }>} in Hz and milliseconds */
const EFFECTS = {
  move: { notes: [440], shakes: [8] },
  complete: { notes: [523, 659], shakes: [12, 40, 12] },
  solved: { notes: [523, 659, 784, 1047], shakes: [20, 50, 20, 50, 40] },
  illegal: { notes: [175], shakes: [30, 30, 30] },
};

/** @type {AudioContext | null} */
let audio = null;

/** @param {State} state @param {State} before */
export function effectOf(state, before) {
  if (state.error && state.error !== before.error) return "illegal";
  if (state.board !== before.board || state.position === before.position || state.made.length <= before.made.length)
    return null;
  if (state.position?.goal) return "solved";
  return completeTubes(state.position) > completeTubes(before.position) ? "complete" : "move";
}

/** @param {string} name @param {Settings} settings */
export function give(name, { sounds, vibration }) {
  const effect = EFFECTS[name];
  if (!effect || isCalm()) return;
  if (vibration) navigator.vibrate?.(effect.shakes);
  if (sounds) effect.notes.forEach(play);
}

/** @param {number} pitch @param {number} number of the note */
function play(pitch, number) {
  audio ??= new AudioContext();
  const begins = audio.currentTime + number * NOTE;
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(LOUDNESS, begins);
  loudness.gain.exponentialRampToValueAtTime(0.0001, begins + 2 * NOTE);
  tone.connect(loudness).connect(audio.destination);
  tone.start(begins);
  tone.stop(begins + 2 * NOTE);
}
