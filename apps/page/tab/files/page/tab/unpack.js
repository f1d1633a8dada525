/** The package's files, for Python. It could unpack them itself, but that takes longer than all the rest of a start. */

const BLOCK = 512;
const NAME_END = 100;
const [SIZE, SIZE_END] = [124, 136];

/** @param {ArrayBuffer} packed by gzip */
export async function inflated(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {Uint8Array} archive of files, by tar @param {any} fs Python's files @param {string} folder */
export function unpack(archive, fs, folder) {
  /** @param {number} begin @param {number} end */
  const text = (begin, end) => new TextDecoder().decode(archive.subarray(begin, end)).replace(/\0.*/s, "");
  for (let at = 0; archive[at];) {
    const path = `${folder}/${text(at, at + NAME_END)}`;
    const size = parseInt(text(at + SIZE, at + SIZE_END), 8);
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, archive.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}
