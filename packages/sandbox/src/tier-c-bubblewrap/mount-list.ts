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
  return list.split('\n').filter((line) => {
    const place = placeOf(line);
    return place === path || place.startsWith(`${path}/`);
  });
}

/** Where it is mounted, as it is spelled there. */
export function placeOf(line: string): string {
  return line.split(' ', PLACE + 1)[PLACE] ?? '';
}
