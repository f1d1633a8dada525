/**
 * Runs precompiling.py in the Python of a page that is being made: `node precompile.mjs MADE`. The folder has `engine`,
 * with Pyodide, and `bsp_sat`, the package.
 */

import { readFileSync } from "node:fs";

const [made] = process.argv.slice(2);
const { loadPyodide } = await import(`${made}/engine/pyodide.mjs`);
const pyodide = await loadPyodide({ indexURL: `${made}/engine/`, env: { PYTHONHASHSEED: "0" } });
pyodide.FS.mkdir("/made");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: made }, "/made");
pyodide.runPython(readFileSync(new URL("precompiling.py", import.meta.url), "utf8"));
