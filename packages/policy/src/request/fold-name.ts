/**
 * A name as the most forgiving file system takes it: `.GIT`, `.git.` and `.git::$DATA` all open
 * `.git` somewhere.
 * INVARIANT: a folded name folds to itself, so whoever names one can be told whether it is one.
 */
export function foldName(name: string): string {
  if (FOLDED.test(name) || DOTS.has(name)) return name;
  // Again at the end: what stood apart because of an unseen character comes together.
  const seen = name.normalize('NFKC').replaceAll(IGNORED, '').toLowerCase().normalize('NFKC');
  const stream = seen.indexOf(':', 1);
  return withoutEnd(stream === -1 ? seen : seen.slice(0, stream));
}

/** By hand: a pattern would try each dot of a long row anew. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}

/** Folded, each; a backslash divides names on some systems, so it does here. */
export function foldedParts(path: string): string[] {
  return path
    .split(SEPARATOR)
    .filter((part) => part !== '')
    .map(foldName);
}

/**
 * What a folded name is one of many for; `undefined` for most. A set cannot be searched by how its words
 * begin, so a rule could not name them all.
 */
export function familyOf(name: string): string | undefined {
  if (/^\.env\.(?!(?:example|sample|template|dist|defaults)$)/.test(name)) return '.env';
  return /^service[-_]account.*\.json$/.test(name) ? 'service-account.json' : undefined;
}

const SEPARATOR = /[/\\]/;
const DOTS: ReadonlySet<string> = new Set(['.', '..']);

/** Most names; for these there is nothing to do. */
const FOLDED = /^[\d._a-z-]*[\d_a-z-]$/;
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
