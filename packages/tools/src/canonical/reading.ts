/**
 * What a piece of text means, in its one spelling, or why it has none. The reason goes on from the
 * name of the argument: "`path`" + "holds `..`".
 */
export type Reading<Value> = { readonly kind: 'read'; readonly value: Value } | Unreadable;

export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  readonly help: string;
}

export function read<Value>(value: Value): Reading<Value> {
  return { kind: 'read', value };
}

export function unreadable(reason: string, help: string): Unreadable {
  return { kind: 'unreadable', reason, help };
}
