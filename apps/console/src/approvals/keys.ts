import type { Standing } from './standing.ts';

/** What a key means while a question is open; the same keys as in `palyra run` and `palyra chat`. */
export type KeyMeaning = 'once' | 'session' | 'wider' | 'until' | 'deny';

const MEANINGS: Readonly<Record<string, KeyMeaning>> = {
  y: 'once',
  s: 'session',
  a: 'wider',
  u: 'until',
  n: 'deny',
};

/** Contract: `undefined` for a key that means nothing, or nothing for this person and question. */
export function meaningOf(key: string, standing: Standing): KeyMeaning | undefined {
  const meaning = MEANINGS[key];
  if (meaning === undefined || !standing.isPending || standing.tooHigh !== undefined) {
    return undefined;
  }
  if (meaning === 'deny') return meaning;
  if (standing.hasSaidYes) return undefined;
  return meaning === 'once' || standing.mayLease ? meaning : undefined;
}

export const KEY_WORDS: readonly (readonly [key: string, says: string])[] = [
  ['j', 'the next question'],
  ['k', 'the one before'],
  ['Enter', 'open it'],
  ['y', 'yes, once'],
  ['s', 'yes, for this session: exactly this call'],
  ['a', 'yes, for more in this session…'],
  ['u', 'yes, until…'],
  ['n', 'no; it asks for a reason, which the model is told'],
  ['Esc', 'back'],
  ['?', 'these keys'],
];
