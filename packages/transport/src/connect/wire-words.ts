import { type Id, PalyraError, parseId, quote } from '@palyra/kernel';

/** Words from the wire become ours here, once; behind this file nothing is checked again. */

export function requireId<Kind extends string>(text: string, field: string): Id<Kind> {
  const id = parseId<Kind>(text);
  if (id === undefined) {
    throw new PalyraError('INVALID_INPUT', `${quote(text)} is not the id of any ${named(field)}`, {
      help: 'ids have 26 characters, such as `01JZ8Q6Y7D0M3W5K9RB2XN4TFC`',
    });
  }
  return id;
}

/** What people call it whose field is `before_run_id`. */
function named(field: string): string {
  return field.replace(/^before_/, '').replace(/_ids?$/, '');
}

/** Contract: empty text means absent, as proto3 has no other way to say so. */
export function optionalId<Kind extends string>(text: string, field: string): Id<Kind> | undefined {
  return text === '' ? undefined : requireId<Kind>(text, field);
}

export function toSequence(value: bigint, field: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new PalyraError('INVALID_INPUT', `\`${field}\` is larger than any sequence number`);
  }
  return Number(value);
}

/** Contract: empty text means absent. */
export function optionalMoment(text: string, field: string): Date | undefined {
  if (text === '') return undefined;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new PalyraError('INVALID_INPUT', `\`${field}\` is not a time`, {
    help: 'write it as `2026-11-16T00:00:00Z`',
  });
}

export interface CountBounds {
  readonly field: string;
  readonly whenZero: number;
  readonly most: number;
}

export function toCount(value: number, bounds: CountBounds): number {
  if (value === 0) return bounds.whenZero;
  if (value > bounds.most) {
    throw new PalyraError('INVALID_INPUT', `\`${bounds.field}\` is ${value}, over ${bounds.most}`, {
      help: `ask for at most ${bounds.most} at once`,
    });
  }
  return value;
}

/** What a text is known by in a listing: its first `most` characters, and a sign if that is not all. */
export function toExcerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  // The end of the cut may be the first half of a character, which no encoding could carry.
  const cut = text.slice(0, most);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
