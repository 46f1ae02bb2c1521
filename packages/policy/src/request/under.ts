import { sortedSet } from './words.ts';

/**
 * What all of them are under, and what any of them is.
 * INVARIANT: nothing is under all of none. A permit that demands `allUnder.contains("src")` must
 * not hold for a call that names no path at all.
 */
export function underFacts(places: readonly (readonly string[])[]) {
  const [first = [], ...others] = places;
  const rest = others.map((under) => new Set(under));
  return {
    allUnder: sortedSet(first.filter((place) => rest.every((under) => under.has(place)))),
    anyUnder: sortedSet(places.flat()),
  };
}
