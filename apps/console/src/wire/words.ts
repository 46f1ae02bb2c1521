/** The name of a value of an enum of the protocol, in words: `ROLE_OWNER` is `owner`. */
export function wordOf(names: Readonly<Record<string, number>>, value: number): string {
  const name = Object.entries(names).find(([, number]) => number === value)?.[0] ?? 'unknown';
  return name.toLowerCase().replaceAll('_', ' ');
}
