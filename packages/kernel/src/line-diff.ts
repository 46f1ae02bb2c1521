/** A line of one text or of both. */
export interface DiffStep {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * Cells of the table below, which take some milliseconds of a gateway. What differs in more than so many
 * is shown as taken out and put in.
 */
const MOST_CELLS = 1_000_000;

/** The fewest lines to take out and to put in, so that one text becomes the other. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffStep[] {
  const start = sameAtStart(before, after);
  const end = sameAtStart(before.slice(start).toReversed(), after.slice(start).toReversed());
  return [
    ...signed(' ', before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...signed(' ', before.slice(before.length - end)),
  ];
}

function sameAtStart(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, place) => line !== other[place]);
  return differs === -1 ? one.length : differs;
}

function signed(sign: DiffStep['sign'], lines: readonly string[]): readonly DiffStep[] {
  return lines.map((line) => ({ sign, line }));
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffStep[] {
  if ((before.length + 1) * (after.length + 1) > MOST_CELLS) {
    return [...signed('-', before), ...signed('+', after)];
  }
  const shared = sharedFrom(before, after);
  const steps: DiffStep[] = [];
  let [old, now] = [0, 0];
  while (old < before.length || now < after.length) {
    const [gone, come] = [before[old], after[now]];
    if (gone !== undefined && gone === come) {
      steps.push({ sign: ' ', line: gone });
      old += 1;
      now += 1;
    } else if (gone !== undefined && shared(old + 1, now) >= shared(old, now + 1)) {
      steps.push({ sign: '-', line: gone });
      old += 1;
    } else if (come !== undefined) {
      steps.push({ sign: '+', line: come });
      now += 1;
    }
  }
  return steps;
}

/** How many lines the rests of both have in common, in order. */
function sharedFrom(before: readonly string[], after: readonly string[]) {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const at = (old: number, now: number) => table[old * width + now] ?? 0;
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let now = after.length - 1; now >= 0; now -= 1) {
      table[old * width + now] =
        before[old] === after[now]
          ? at(old + 1, now + 1) + 1
          : Math.max(at(old + 1, now), at(old, now + 1));
    }
  }
  // Past the end of either nothing is shared; only a step that exists may be compared.
  return (old: number, now: number) =>
    old > before.length || now > after.length ? -1 : at(old, now);
}
