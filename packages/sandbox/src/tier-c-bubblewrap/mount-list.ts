import { readSync } from 'node:fs';

/** What stands in a list of mounts, as the kernel writes them in `/proc/PID/mountinfo`. */

const PLACE = 4;

/** As the kernel spells a path there. */
export function spelled(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, escaped);
}

function escaped(letter: string): string {
  return `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/** Those on a folder and below it. Contract: `path` as it is spelled there. */
export function linesAt(list: string, path: string): readonly string[] {
  // So it is with most folders, and to take every line apart takes long.
  if (!list.includes(path)) return [];
  return list.split('\n').filter((line) => {
    const place = placeOf(line);
    return place === path || place.startsWith(`${path}/`);
  });
}

/** Where it is mounted, as it is spelled there. */
export function placeOf(line: string): string {
  return line.split(' ', PLACE + 1)[PLACE] ?? '';
}

const LIST_BYTES = 64 * 1024;

/** Contract: an open list; from its beginning, also when the process whose list it is has ended. */
export function readList(descriptor: number): string {
  let bytes = Buffer.allocUnsafe(LIST_BYTES);
  for (let length = 0; ;) {
    const more = readSync(descriptor, bytes, length, bytes.length - length, length);
    if (more === 0) return bytes.toString('utf8', 0, length);
    length += more;
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)]);
  }
}
