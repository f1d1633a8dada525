/** The proof as files, which others can check without trusting this program (docs/certificates.md). */

import { answer, wordsFor } from "../core/api.js";
import { movesOf } from "../core/steps.js";
import { save } from "../core/files.js";

/** @param {App} app */
export async function saveCertificate(app) {
  const { board, made, position } = app.store.state;
  app.notice("Writing the proof…");
  try {
    const { certificate } = await answer("certificate", { board, moves: movesOf(made) }, new AbortController().signal);
    if (certificate.error) return app.notice(certificate.error);
    const bytes = Uint8Array.from(atob(certificate.zip), (character) => character.charCodeAt(0));
    save(new Blob([bytes], { type: "application/zip" }), `${position?.name ?? "board"}-proof.zip`);
    app.notice("The proof is among your downloads. Unpack it, then: bsp-sat verify FOLDER BOARD.");
  } catch (error) {
    app.notice(wordsFor(error));
  }
}
