/**
 * What no journey thinks of: random taps, keys, words, steps back and reloads, as seeds name them. Afterwards nothing
 * has failed in the page, nothing is wider than the screen, a reload shows what was there, and Home can be reached.
 * `test_page_firefox.py` runs it: node random_actions.mjs BROWSER EXECUTABLE ADDRESS FIRST_SEED SEEDS ACTIONS.
 */

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { default: puppeteer } = createRequire(import.meta.url)("puppeteer-core"); // which NODE_PATH names
const [name, executablePath, address, first, seeds, actions] = process.argv.slice(2);
const PATIENCE = 600_000; // milliseconds, for a loaded machine
const LEVEL = "#level.ball-sort.easy.46.21";
const STARTS = ["", "", "#level-80", LEVEL, "?learn=why#level-80"];
const SIZES = [[390, 664], [320, 568], [820, 1180], [1440, 900]];
const WORDS = ["ab|ba|-", "[[1, 2], [2, 1], []]", "aab|bba|-|-", "9".repeat(400), "<b>", "1 2\n2 1", "{", ""];
const KEYS = ["Escape", "Enter", "ArrowLeft", "ArrowRight", "Tab", " ", "b", "h", "u", "1", "2", "?"];
const LEAVES = /Save|Share|file|picture|screenshot|Choose|Export|Download|Copy/i; // what opens the system's own dialogs

const browser = await puppeteer.launch({
  browser: name,
  executablePath,
  ...(name === "firefox" && { protocol: "webDriverBiDi" }),
  headless: true,
  args: ["--no-sandbox"],
  timeout: PATIENCE,
  protocolTimeout: PATIENCE,
});

/** Numbers from 0 up to a limit, the same for the same seed. */
function chance(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % limit;
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

/** What a person sees of the page: the screen, and the board in play with the moves made. */
const shown = (page) =>
  page.evaluate(() => [document.documentElement.dataset.screen, location.hash.length > 9 ? location.hash : ""]);

/** Does one thing, and says what. */
async function act(page, random) {
  const kind = random(20);
  // Firefox tells the driver of no step that leaves the address as it is, such as from a dialog.
  if (kind < 2) return (await page.evaluate(() => history.back()).catch(() => null), await pause(), "back");
  // The page's own step back, when a dialog closes, may overtake a reload.
  if (kind < 3) return (await page.reload({ timeout: 20_000 }).catch(() => null), "reload");
  if (kind < 6) {
    const key = KEYS[random(KEYS.length)];
    return (await page.keyboard.press(key), `key ${key}`);
  }
  return page.evaluate(
    ([number, words, leaves]) => {
      const part = document.querySelector("dialog[open]") ?? document;
      const all = "button, summary, select, input, textarea, a[href^='#'], .tube, [role=slider]";
      const isMeant = (each) =>
        each.checkVisibility({ visibilityProperty: true }) &&
        !each.disabled &&
        each.type !== "file" &&
        !new RegExp(leaves, "i").test(each.ariaLabel ?? each.textContent);
      const found = [...part.querySelectorAll(all)].filter(isMeant);
      const chosen = found[number % found.length];
      if (!chosen) return "nothing to tap";
      if (chosen.matches("select")) chosen.selectedIndex = number % chosen.options.length;
      else if (chosen.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])")) chosen.value = words;
      else if (chosen.matches("[type=range]")) chosen.value = String(number % (Number(chosen.max) + 1));
      else chosen.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      if ("value" in chosen && !chosen.matches("button")) {
        for (const event of ["input", "change"]) chosen.dispatchEvent(new Event(event, { bubbles: true }));
      }
      return `${chosen.localName} ${(chosen.ariaLabel ?? chosen.textContent).trim().slice(0, 30)}`;
    },
    [random(1_000_000), WORDS[random(WORDS.length)], LEAVES.source],
  );
}

/** Goes Home as a person would: closes what is open, and takes the header's way back. */
async function goesHome(page) {
  for (let step = 0; step < 12; step++) {
    if ((await shown(page))[0] === "home") return true;
    await page.evaluate(() => {
      const dialog = document.querySelector("dialog[open]");
      const way = [...(dialog ?? document).querySelectorAll("button, a")].find(
        (each) => /^(Close|Cancel|Back|Home)/.test(each.ariaLabel ?? each.textContent.trim()) && each.checkVisibility(),
      );
      if (way) way.click();
      else dialog?.close();
    });
    await pause();
  }
  return false;
}

for (let seed = Number(first); seed < Number(first) + Number(seeds); seed++) {
  const random = chance(seed);
  const done = [];
  const problems = [];
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (said) => {
    if (said.type() === "error" && !/status of 400/.test(said.text())) problems.push(said.text());
  });
  page.on("dialog", (dialog) => void dialog.dismiss());
  page.setDefaultTimeout(PATIENCE);
  const [width, height] = SIZES[random(SIZES.length)];
  await page.setViewport({ width, height, hasTouch: name === "chrome" && width < 900 });
  await page.goto(address + STARTS[random(STARTS.length)]);
  try {
    for (let number = 0; number < Number(actions); number++) {
      done.push(await act(page, random));
      assert.deepEqual(problems, []);
      if (!page.url().startsWith(address)) await page.goto(address); // back, out of the page
    }
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "wider than the screen");
    await pause();
    const before = await shown(page);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.screen);
    await pause();
    assert.deepEqual(await shown(page), before, "a reload shows something else");
    assert.ok(await goesHome(page), "Home can't be reached");
    assert.deepEqual(problems, []);
  } catch (error) {
    console.log(
      `seed ${seed}, ${width} × ${height}: ${error.message}\n  ${done.slice(-12).join("\n  ")}\n  ${page.url()}`,
    );
    process.exitCode = 1;
  }
  await context.close();
}
await browser.close();
