export type Random = () => number;

/** Numbers from 0 up to 1. Small and repeatable; nothing in a test needs to be unpredictable. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
