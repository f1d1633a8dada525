/** Proofs as files: one is made of this board, or brought along, and checked. */

import { button, div, h } from "../core/dom.js";
import { chooseFile, save } from "../core/files.js";
import { archiveOf } from "../share/certificate.js";
import { counted } from "../core/steps.js";
import { intro, runButton, status, waiting } from "./parts.js";

/** @import { Learning, Verified } from "../types.d.ts" */

const ZIP = "application/zip";

/** @param {import("./lessons.js").Lessons} lessons @returns {import("./parts.js").Lesson} */
export function verifyLesson(lessons) {
  const open = () => chooseFile(".zip,application/zip", (file) => void check(lessons, file, file.name));
  const draw = (/** @type {Learning} */ learning) => {
    const { verify, running } = learning;
    const { file, name, verdict, own } = verify ?? {};
    const board = verdict?.verified && !own ? verdict.board : null;
    const said = verdict ? `The proof ${verdict.verified ? "holds" : "does not hold"}.` : "";
    const steps = [...(verify?.steps ?? []), ...(verdict ? stepsOf(verdict) : [])];
    return [
      intro(
        "A proof can be written down as files. A second program checks them step by step; it need not trust the one " +
          "that found the answer, and neither need you.",
      ),
      div(
        "settings",
        runButton(lessons, "verify", "Make a proof and check it", () => void makeAndCheck(lessons)),
        button("board", "Check a file", open, { disabled: running === "verify" }),
      ),
      status(
        running === "verify" ? waiting(learning, verify ? "Checking …" : "Solving, and writing the proof …") : said,
      ),
      h("ol", { class: "steps" }, ...steps.map((words) => h("li", {}, words))),
      div(
        "actions",
        file && own && button("share", "Save the proof", () => save(file, name ?? "proof.zip"), { class: "quiet" }),
        board && button("board", "Show its board", () => void lessons.app.game.open(board), { class: "quiet" }),
      ),
    ];
  };
  return { draw };
}

/** @param {import("./lessons.js").Lessons} lessons */
async function makeAndCheck(lessons) {
  lessons.set({ verify: null });
  const found = await lessons.run("verify", "certificate", lessons.position());
  if (!found) return;
  const { certificate, status, length } = found;
  if (!certificate) return lessons.set({ problem: "No answer was proved in time, so there is nothing to write down." });
  if (certificate.error) return lessons.set({ problem: certificate.error });
  const file = archiveOf(certificate);
  const answer = status === "unsolvable" ? "there is no solution" : `${counted(length)} are the fewest`;
  const steps = [`The solver claims: ${answer}.`, `It wrote its proof to files, ${inBytes(file.size)} in all.`];
  await check(lessons, file, `${lessons.app.store.state.position?.name ?? "board"}-proof.zip`, steps);
}

/**
 * @param {import("./lessons.js").Lessons} lessons
 * @param {Blob} file
 * @param {string} name
 * @param {string[]} [made] how it was made; none for a file that was brought along
 */
async function check(lessons, file, name, made) {
  const steps = made ?? [`The file ${name}, ${inBytes(file.size)}.`];
  const verify = { file, name, own: made !== undefined, steps, verdict: null };
  lessons.set({ verify });
  // Browsers tell the type of a file from its name, and some don't know this one.
  const verdict = await lessons.run("verify", "verify", new Blob([file], { type: ZIP }));
  if (verdict) lessons.set({ verify: { ...verify, verdict } });
}

/** What was checked, in words. @param {Verified} verdict */
function stepsOf(verdict) {
  if (!verdict.verified) return [`The check ended with: ${verdict.reason}.`];
  const { length, proof, positions = 0, moves = 0, clauses = 0 } = verdict;
  const number = (/** @type {number} */ value) => value.toLocaleString("en");
  const opening = ["No file was changed by accident: all are as their checksums say."];
  if (length !== null)
    opening.push(
      `The solution was played: ${length === 1 ? "its one move is" : `its ${length} moves are all`} allowed, ` +
        `and the board is solved at the end.`,
    );
  const least = length === null ? "So there is no solution." : `So fewer than ${counted(length)} are impossible.`;
  switch (proof) {
    case "labels":
      return [
        ...opening,
        `The proof lists ${number(positions)} positions, each with a number of moves that it needs at least. ` +
          `None of them is solved.`,
        `All ${number(moves)} moves from them were tried: none leads more than one move nearer to the end.`,
        least,
      ];
    case "borders":
      return [
        ...opening,
        `Each way to take the colours off each other was tried: ${number(positions)} tables of what is left, ` +
          `and none leads to the end.`,
        least,
      ];
    default:
      return [
        ...opening,
        `The question “is there a shorter solution?” was written down again as ${number(clauses)} clauses, ` +
          `the same as in the proof.`,
        "Each step of the solver's reasoning follows from the clauses and the steps before it, and the last one " +
          "is a contradiction.",
        least,
      ];
  }
}

/** @param {number} size */
function inBytes(size) {
  return size < 10_000 ? `${size.toLocaleString("en")} bytes` : `${Math.round(size / 1000).toLocaleString("en")} kB`;
}
