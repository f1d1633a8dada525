/**
 * The four journeys in Firefox, which Playwright's tests drive in Chromium: a player who is stuck, one who plays, one who
 * makes levels, and a teacher. `test_page_firefox.py` runs it: node firefox.mjs firefox EXECUTABLE ADDRESS SCREENSHOT.
 */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, test } from "node:test";

const { default: puppeteer } = createRequire(import.meta.url)("puppeteer-core"); // which NODE_PATH names
const [browserName, executablePath, address, screenshot] = process.argv.slice(2);
const PATIENCE = 600_000; // milliseconds, for a loaded machine

const browser = await puppeteer.launch({
  browser: browserName,
  executablePath,
  protocol: "webDriverBiDi",
  headless: true,
  args: ["--no-sandbox"],
  timeout: PATIENCE,
  protocolTimeout: PATIENCE,
});

/** A visitor who hasn't been here before, as if with a phone. */
async function visit(action, path = "") {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 390, height: 664 });
  await page.goto(address + path);
  const press = async (name) => {
    const found = await page.waitForFunction(
      (words) => {
        const isMeant = (each) => (each.ariaLabel ?? each.textContent).startsWith(words) && !each.disabled;
        const part = document.querySelector("dialog[open]") ?? document;
        return [...part.querySelectorAll("button, summary")].find((each) => isMeant(each) && each.checkVisibility());
      },
      {},
      name,
    );
    await found.click();
  };
  const reads = (selector, words) =>
    page.waitForFunction(
      (where, what) => [...document.querySelectorAll(where)].some((each) => each.innerText.includes(what)),
      {},
      selector,
      words,
    );
  await action({ page, press, reads });
  assert.deepEqual(problems, []);
  await context.close();
}

test("from a screenshot to the moves, and to the next one", () =>
  visit(async ({ page, press, reads }) => {
    const [chooser] = await Promise.all([page.waitForFileChooser(), press("Solve a screenshot")]);
    await chooser.accept([screenshot]);
    await reads(".follow [role=status]", "left, proved");
    const left = await page.$eval(".follow [role=status]", (each) => parseInt(each.innerText));
    await press("Done, next ›");
    await reads(".follow [role=status]", `${left - 1} left, proved`);
  }));

test("a level is solved by its hints, and is worth two stars", () =>
  visit(async ({ page, press, reads }) => {
    await press("Levels");
    await reads(".proof-chip", "13 left");
    for (let left = 12; left >= 0; left--) {
      await press("Hint");
      await page.waitForSelector(".pointer .arrow");
      const [from, to] = (await page.$eval(".level-notice p", (each) => each.innerText)).match(/\d+/g).slice(-2);
      for (const tube of [from, to]) await page.click(`.level-screen .tube[data-place="${tube - 1}"]`);
      await reads(".proof-chip", left ? `${left} left` : "Solved");
    }
    await page.waitForSelector('.stars[aria-label="2 of 3 stars"]');
  }));

test("a level is made and played", () =>
  visit(async ({ press, reads }) => {
    await press("Make levels");
    await press("Tricky");
    await reads(".preview", "Tricky");
    await press("Play");
    await reads(".proof .said", "left, proved");
  }));

test("a lesson says why there is no shorter solution, and shows how its bounds met", () =>
  visit(async ({ page, press, reads }) => {
    await reads(".learn [role=status]", "Not in 37: it takes 38.");
    await press("Bounds");
    await page.select(".settings select", "the usual search");
    await press("Prove it");
    await page.waitForSelector('.chart[aria-label$="exactly 38 moves."]');
  }, "?learn=why#level-80"));

after(() => browser.close());
