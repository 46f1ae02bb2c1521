/** How far a clock may be set back before what it had begun counts as over. */
const SLACK_MS = 60_000;

/**
 * Whether something that began then and ends then still holds: no longer at the very moment of its end,
 * and not either when the clock says that it has not begun yet. A clock that is set back would give
 * everything more time than a person gave it.
 */
export function isWithin(
  { from, until }: { readonly from: string; readonly until: string },
  now: Date,
): boolean {
  const begun = Date.parse(from) - SLACK_MS <= now.getTime();
  return begun && until > now.toISOString();
}
