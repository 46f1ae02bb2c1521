import type { Json } from '@palyra/kernel';
import { isTextKey } from './key-type.ts';
import type { KeyDeclaration } from './sections.ts';
import { readTomlText } from './toml-file.ts';
import { readLayout } from './toml-layout.ts';

export type ValueReading =
  /** `literal` is how the value is written in a file. */
  | { readonly kind: 'value'; readonly value: unknown; readonly literal: string }
  | { readonly kind: 'bad'; readonly reason: string };

/**
 * A value from the environment, a flag or `palyra config set`.
 * Text keys take the text as it is, every other key takes what TOML takes behind the `=`.
 */
export function readValueText(declaration: KeyDeclaration, text: string): ValueReading {
  if (!isTextKey(declaration)) return readTomlValue(text.trim());
  if (!text.isWellFormed()) return { kind: 'bad', reason: 'the text holds half a character' };
  return { kind: 'value', value: text, literal: writeString(text) };
}

function readTomlValue(literal: string): ValueReading {
  const line = `v = ${literal}`;
  const reading = readTomlText(line);
  if (reading.kind === 'bad') return { kind: 'bad', reason: reading.reason };
  const [assignment, ...others] = readLayout(line).assignments.filter(
    ({ place }) => place === 'line',
  );
  // A comment or a second line behind the value would be carried into a file.
  if (others.length > 0 || assignment?.valueEnd !== line.length || literal.includes('\n')) {
    return { kind: 'bad', reason: 'one value on one line is wanted' };
  }
  return { kind: 'value', value: reading.table['v'], literal };
}

/** A value as a file has it behind the `=`. */
export function writeValue(value: Json): string {
  if (typeof value === 'string') return writeString(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  // TOML has no word for nothing; what is not set is not written.
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(
    ([key, item]) => `${writeKey(key)} = ${writeValue(item)}`,
  );
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

const BARE_KEY = /^[A-Za-z0-9_-]+$/;

function writeKey(key: string): string {
  return BARE_KEY.test(key) ? key : writeString(key);
}

/** JSON's escapes are all TOML's too; only DEL has to be escaped on top. */
function writeString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`);
}
