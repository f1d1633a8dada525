/**
 * To the clipboard; where the browser doesn't let a page do that, the text is chosen for the reader to copy.
 */

/** @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} field that holds it */
export async function copied(text, field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(text);
    field.classList.add("copied");
    setTimeout(() => field.classList.remove("copied"), 900);
  } catch {
    // It is chosen: Ctrl C does the rest.
  }
}
