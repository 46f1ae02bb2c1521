/**
 * A name as the most forgiving file system takes it: `.GIT`, `.git.` and `.git::$DATA` all open
 * `.git` somewhere.
 */
export function foldName(name: string): string {
  if (FOLDED.test(name) || DOTS.has(name)) return name;
  const seen = name.normalize('NFKC').replaceAll(IGNORED, '').toLowerCase();
  const stream = seen.indexOf(':', 1);
  return (stream === -1 ? seen : seen.slice(0, stream)).replace(/[. ]+$/u, '');
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
