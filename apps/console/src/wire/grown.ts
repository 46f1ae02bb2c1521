/** A list, newest first, as far as somebody has gone back in it. */
export interface Grown<Thing> {
  readonly things: readonly Thing[];
  readonly hasMore: boolean;
}

export interface GrowingShape<Thing> {
  /** Contract: ids sort as things were made. */
  readonly idOf: (thing: Thing) => string;
  /** How many are asked for at once; fewer than that are the last ones. */
  readonly size: number;
}

/** A tab shows so many; who wants something older opens it by its id. */
export const MOST_SHOWN = 10_000;

/** The newest ones, asked for again, before those that were read further back. */
export function withNewest<Thing>(
  before: Grown<Thing> | undefined,
  newest: readonly Thing[],
  { idOf, size }: GrowingShape<Thing>,
): Grown<Thing> {
  const last = newest.at(-1);
  if (last === undefined || newest.length < size) return { things: newest, hasMore: false };
  const [first] = before?.things ?? [];
  // So much is new that nobody knows what lies between.
  if (before === undefined || first === undefined || idOf(first) < idOf(last)) {
    return { things: newest, hasMore: true };
  }
  const older = before.things.filter((thing) => idOf(thing) < idOf(last));
  return { things: [...newest, ...older], hasMore: before.hasMore };
}

export function withOlder<Thing>(
  before: Grown<Thing>,
  older: readonly Thing[],
  { idOf, size }: GrowingShape<Thing>,
): Grown<Thing> {
  const known = new Set(before.things.map(idOf));
  const things = [...before.things, ...older.filter((thing) => !known.has(idOf(thing)))];
  return { things, hasMore: older.length === size && things.length < MOST_SHOWN };
}
