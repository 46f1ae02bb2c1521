/**
 * How a workspace may change a key that the operator has decided.
 * `lower`, `higher`: numbers · `earlier`: options, declared from narrow to wide ·
 * `to-true`, `to-false`: switches · `subset`: lists.
 */
export const NARROWINGS = ['lower', 'higher', 'earlier', 'to-true', 'to-false', 'subset'] as const;
export type Narrowing = (typeof NARROWINGS)[number];

export function isNarrowing(value: unknown): value is Narrowing {
  return NARROWINGS.some((narrowing) => narrowing === value);
}

export interface Change {
  readonly from: unknown;
  readonly to: unknown;
  /** The options of an enum, narrowest first; empty for other types. */
  readonly options: readonly unknown[];
}

/** Contract: what cannot be compared is not narrower. An equal value is. */
export function isNarrower(narrowing: Narrowing, change: Change): boolean {
  const { from, to, options } = change;
  if (Object.is(from, to)) return true;
  switch (narrowing) {
    case 'lower':
      return typeof from === 'number' && typeof to === 'number' && to <= from;
    case 'higher':
      return typeof from === 'number' && typeof to === 'number' && to >= from;
    case 'earlier':
      return options.includes(to) && options.indexOf(to) <= options.indexOf(from);
    case 'to-true':
      return to === true && typeof from === 'boolean';
    case 'to-false':
      return to === false && typeof from === 'boolean';
    case 'subset':
      return Array.isArray(from) && Array.isArray(to) && to.every((item) => from.includes(item));
  }
}

export function describeNarrowing(narrowing: Narrowing): string {
  switch (narrowing) {
    case 'lower':
      return 'a workspace may lower it';
    case 'higher':
      return 'a workspace may raise it';
    case 'earlier':
      return 'a workspace may choose an option that stands earlier';
    case 'to-true':
      return 'a workspace may switch it on';
    case 'to-false':
      return 'a workspace may switch it off';
    case 'subset':
      return 'a workspace may shorten it';
  }
}
