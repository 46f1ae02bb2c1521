import type { Random } from '@palyra/testkit';

/** Pieces that have broken parsers before: ends of strings, nesting, numbers, odd characters. */
const PIECES = [
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '=',
  ':',
  ',',
  '\n',
  '\r',
  '\0',
  '\t',
  '#',
  '.',
  '-',
  '0',
  '9007199254740993',
  '1e400',
  'null',
  '__proto__',
  'constructor',
  '\ud800',
  '\u202e',
  '\u2028',
  '"""',
  "'''",
  '[[',
  '\\u0000',
  '\\ud83d',
  '{"a":',
  '[['.repeat(300),
  'x'.repeat(5000),
  '𝒳',
  'é',
] as const;

/** A good text made worse in one to eight places. */
export function mutate(text: string, random: Random): string {
  let mutated = text;
  const changes = 1 + Math.floor(random() * 8);
  for (let change = 0; change < changes; change += 1) mutated = changeOnce(mutated, random);
  return mutated;
}

function changeOnce(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const length = Math.floor(random() * 12);
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
  const kind = random();
  if (kind < 0.3) return text.slice(0, at) + piece + text.slice(at);
  if (kind < 0.5) return text.slice(0, at) + piece + text.slice(at + length);
  if (kind < 0.7) return text.slice(0, at) + text.slice(at + length);
  if (kind < 0.85)
    return text.slice(0, at) + text.slice(at, at + length).repeat(2) + text.slice(at);
  return text.slice(0, at);
}
