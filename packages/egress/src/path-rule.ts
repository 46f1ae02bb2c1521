import { spellEscapes } from '@palyra/kernel';

/**
 * The path of a request in one spelling, for rules to look at: escapes that need not be are undone.
 * Contract: `undefined` for a path that two servers could read in two ways; no rule about paths
 * fits such a one.
 */
export function canonicalPath(path: string): string | undefined {
  if (!path.startsWith('/') || !PLAIN.test(path)) return undefined;
  if (AMBIGUOUS.some((form) => form.test(path)) || !isUtf8(path)) return undefined;
  const spelled = spellEscapes(path);
  return spelled.split('/').some(isDots) ? undefined : spelled;
}

/** Segments of a pattern; `*` is one segment, `**` at the end is everything below. */
export type PathPattern = readonly string[];

/** Contract: `undefined` unless it is a canonical path in which stars stand for whole segments. */
export function readPathPattern(text: string): PathPattern | undefined {
  if (text.length > MAX_PATTERN) return undefined;
  const segments = text.split('/').slice(1);
  const isMisplaced = (segment: string, place: number) =>
    segment.includes('*') && segment !== '*' && (segment !== '**' || place < segments.length - 1);
  if (segments.some(isMisplaced)) return undefined;
  const example = text.replaceAll('*', 'x');
  return canonicalPath(example) === example ? segments : undefined;
}

export function matchesPath(pattern: PathPattern, path: string | undefined): boolean {
  if (path === undefined) return false;
  const segments = path.split('/').slice(1);
  if (pattern.at(-1) === '**') {
    const above = pattern.slice(0, -1);
    return segments.length > above.length && above.every((part, at) => fits(part, segments[at]));
  }
  return (
    segments.length === pattern.length && pattern.every((part, at) => fits(part, segments[at]))
  );
}

const MAX_PATTERN = 512;

/** Visible ASCII without what belongs to other parts of a target, or to no target at all. */
const PLAIN = /^[\x21\x24-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7e]*$/;

const AMBIGUOUS: readonly RegExp[] = [
  /%(?![0-9a-f]{2})/i, // escapes nothing
  /%(?:25)*(?:2f|5c|2e)/i, // a slash or a dot, encoded once or more often
  /%(?:25)*(?:[01][0-9a-f]|7f)/i, // a control character
  /\/\//, // an empty name
  /\/\.{1,2};/, // dots before a parameter, which some servers cut off
];

/** Other bytes each server decodes in its own way; an overlong slash is among them. */
function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function fits(part: string, segment: string | undefined): boolean {
  return part === '*' ? segment !== undefined && segment !== '' : part === segment;
}
