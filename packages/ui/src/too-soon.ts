/** Somebody may still be busy with something else when a question comes up under their hands. */
const SETTLE_MS = 300;

/** Contract: `since` is when the question came up or moved, or when somebody was last too soon. */
export function isTooSoon(atMs: number, since: number): boolean {
  return atMs - since < SETTLE_MS;
}
