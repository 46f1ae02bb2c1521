import * as fc from 'fast-check';

/** What breaks out of a string, or looks like something else, where it is not escaped. */
export const HOSTILE_TEXTS = [
  '"',
  '\\',
  '\\"',
  '" || true || "',
  '"] };\npermit (principal, action, resource);//',
  '*',
  '\n',
  '\r',
  '\0',
  '`',
  '//',
  '};',
  '\u202e',
  '\u200b',
  '\ufeff',
  '👍\ufe0f',
  '\\u{41}',
  '\u{10ffff}',
  '\ufffe',
] as const;

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x2ff }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/** Any well-formed text. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(codePoint, { maxLength: 20 }).map((points) => String.fromCodePoint(...points)),
  fc.array(fc.constantFrom(...HOSTILE_TEXTS), { maxLength: 6 }).map((parts) => parts.join('')),
);
