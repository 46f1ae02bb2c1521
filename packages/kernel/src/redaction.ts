import type { Json } from './canonical-json.ts';
import { NAMED_SECRET_SHAPES, SECRET_NAME, SECRET_SHAPES, isSecretName } from './secret-shapes.ts';

export const REDACTED = '[redacted]';
/** Longer text is cut before it is searched: the log is not a place for documents. */
export const MAX_LOGGED_TEXT = 8192;
/** More values than this, however they are nested, are left out. */
export const MAX_LOGGED_VALUES = 1000;

/** A copy that is fit for the log: secrets by name and by shape are gone, long text is cut. */
export function redact(value: unknown): Json {
  return redactValue(value, { depth: 0, budget: { left: MAX_LOGGED_VALUES } });
}

export function redactText(text: string): string {
  const short = text.length > MAX_LOGGED_TEXT ? cut(text) : text;
  const clean = without(SECRET_SHAPES, short);
  return SECRET_NAME.test(clean) ? without(NAMED_SECRET_SHAPES, clean) : clean;
}

const MAX_DEPTH = 8;
const ENDS_WORD = /[\s"'`,;(){}[\]<>]/;

function without(shapes: readonly RegExp[], text: string): string {
  return shapes.reduce((left, shape) => left.replace(shape, REDACTED), text);
}

/** Where in a value we are; the budget is shared by the whole of it. */
interface Place {
  readonly depth: number;
  readonly budget: { left: number };
}

/** Cuts before the last word: the first half of a secret has no shape to know it by. */
function cut(text: string): string {
  let end = MAX_LOGGED_TEXT;
  while (end > 0 && !ENDS_WORD.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}… (cut)`;
}

function redactValue(value: unknown, place: Place): Json {
  if (place.budget.left <= 0) return '[cut]';
  place.budget.left -= 1;
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return redactText(value.toString());
  if (typeof value === 'object') return redactObject(value, place);
  return `[${typeof value}]`;
}

function redactObject(value: object | null, { depth, budget }: Place): Json {
  if (value === null) return null;
  if (depth >= MAX_DEPTH) return '[deep]';
  const inside = { depth: depth + 1, budget };
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (value instanceof Error) return redactError(value, inside);
  if (Array.isArray(value)) return redactArray(value, inside);
  return redactFields(value, inside);
}

function redactArray(values: readonly unknown[], place: Place): Json {
  // One more than the budget, so that the last shown says that something was left out.
  return values.slice(0, place.budget.left + 1).map((item) => redactValue(item, place));
}

function redactFields(value: object, place: Place): Json {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields
      .slice(0, place.budget.left + 1)
      .map(([name, field]) => [
        redactText(name),
        isSecretName(name) ? REDACTED : redactValue(field, place),
      ]),
  );
}

function redactError(error: Error, place: Place): Json {
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: redactText(name),
    message: redactText(message),
    ...(code === undefined ? {} : { code: redactText(code) }),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, place) }),
  };
}
