/** What stands in an answer that is read by hand, before the protocol's descriptions are loaded. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
