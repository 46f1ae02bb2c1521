import type { Json } from './canonical-json.ts';

export const REDACTED = '[redacted]';
/** Longer text is cut before it is searched: the log is not a place for documents. */
export const MAX_LOGGED_TEXT = 8192;

/** Fields whose value is never shown, whatever it looks like. */
const SECRET_NAMES =
  /(^|[_\-.])(authorization|cookie|credential|passphrase|password|pin|private[_\-.]?key|secret|token|api[_\-.]?key)s?$/i;

/** Shapes that give a secret away wherever they stand. Linear: no pattern can backtrack. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bpal_[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}/g,
  /\bgh[oprsu]_[A-Za-z0-9]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /\b(?:Bearer|Basic) [A-Za-z0-9+/=._~-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /(?<=:\/\/[^\s:/@]{0,64}:)[^\s@/]{1,256}(?=@)/g,
];

/** A copy that is fit for the log: secrets by name and by shape are gone, long text is cut. */
export function redact(value: unknown): Json {
  return redactValue(value, 0);
}

export function redactText(text: string): string {
  let clean = text;
  if (clean.length > MAX_LOGGED_TEXT) clean = `${clean.slice(0, MAX_LOGGED_TEXT)}… (cut)`;
  for (const shape of SECRET_SHAPES) clean = clean.replace(shape, REDACTED);
  return clean;
}

const MAX_DEPTH = 8;

function redactValue(value: unknown, depth: number): Json {
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return redactObject(value, depth);
    case 'function':
    case 'symbol':
    case 'undefined':
      return `[${typeof value}]`;
  }
}

function redactObject(value: object | null, depth: number): Json {
  if (value === null) return null;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      SECRET_NAMES.test(name) ? REDACTED : redactValue(field, depth + 1),
    ]),
  );
}

function redactError(error: Error, depth: number): Json {
  const { name, message, stack, cause } = error;
  return {
    name,
    message: redactText(message),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, depth + 1) }),
  };
}
