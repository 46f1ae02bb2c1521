import { type Json, visibleText } from '@palyra/kernel';
import type { EntityRef } from '../model.ts';
import { refOf } from './facts.ts';

/**
 * A string as Cedar reads it back. What a person could not see is escaped, so that two rules that
 * look alike are alike. `*` is special only in `like`, which is never written here.
 * Contract: for well-formed text only; half a surrogate pair has no spelling in Cedar.
 */
export function stringText(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${visibleText(escaped, 'one-line')}"`;
}

export function entityText({ type, id }: EntityRef): string {
  return `${type}::${stringText(id)}`;
}

/** A string, a number, a boolean or an entity; `undefined` for what no rule here compares with. */
export function valueText(value: Json): string | undefined {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  const ref = refOf(value);
  return ref === undefined ? undefined : entityText(ref);
}
