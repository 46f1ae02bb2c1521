import { type Unreadable, unreadable } from './reading.ts';
import { findUnseen } from './unseen.ts';

/**
 * Why a path, as written or as parsed, is refused. Servers disagree about each of these, so a rule
 * about a path could be walked around with it.
 */
export function problemOfUrlPath(path: string): Unreadable | undefined {
  const found = AMBIGUOUS.find(([form]) => form.test(path));
  if (found !== undefined) return unreadable(found[1], found[2]);
  const unseen = findUnseenInside(path);
  if (unseen === undefined) return undefined;
  return unreadable(`has a path with ${unseen} in it`, 'leave that out of the path');
}

const AMBIGUOUS: readonly (readonly [RegExp, string, string])[] = [
  [/%(?:25)*(?:2f|5c)/i, 'has an encoded slash in its path', 'send that value in the query'],
  [/%(?:25)*2e/i, 'has an encoded dot in its path', 'write the dot as it is'],
  [/%(?:25)*(?:0[\da-f]|1[\da-f]|7f)/i, 'has a control character in its path', 'leave that out'],
  [/%(?![\da-f]{2})/i, 'has a `%` in its path that escapes nothing', 'write it as `%25`'],
  [/\/\//u, 'has an empty name in its path', 'write one `/` between names'],
  [/\/\.{1,2};/u, 'hides dots before a `;` in its path', 'write where it leads'],
];

function findUnseenInside(path: string): string | undefined {
  try {
    return findUnseen(decodeURIComponent(path));
  } catch {
    // Escapes of anything but UTF-8, which each server reads in its own way.
    return 'escapes that are not UTF-8';
  }
}
