/** Keeps the screen on, where browsers let a page do that. */

/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/** @param {boolean} on */
export function keepAwake(on) {
  wanted = on;
  void ask();
}

async function ask() {
  try {
    if (!wanted) {
      await lock?.release();
      lock = null;
    } else if (document.visibilityState === "visible") lock = (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    // The system says no, for example to save the battery.
  }
}

// Browsers drop the lock when another tab comes to the front.
document.addEventListener("visibilitychange", () => void (wanted && ask()));
