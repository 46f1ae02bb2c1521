import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Annotations } from './rule-terms.ts';

/** Cedar gives `null` for one without a value. */
export function annotationsOf({ annotations }: PolicyJson): Annotations {
  const entries: readonly (readonly [string, string | null])[] = Object.entries(annotations ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}
