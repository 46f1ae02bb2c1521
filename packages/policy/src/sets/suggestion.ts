const MAX_LENGTH = 80;

/** The known name that was probably meant; `undefined` when none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const changes = changesBetween(name.toLowerCase(), candidate.toLowerCase());
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

/** Characters to add, to drop and to exchange. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const exchanged = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(exchanged, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
