/** What the worker uses of Pyodide, for type checkers: the build puts the module itself here. */
export const loadPyodide: (options: { indexURL: string; _makeSnapshot?: boolean; _loadSnapshot?: ArrayBuffer }) => Promise<any>;
