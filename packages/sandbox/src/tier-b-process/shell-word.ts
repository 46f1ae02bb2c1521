/** One word of a shell's line. INVARIANT: in single quotes nothing has a meaning but their own end. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** In one order, whatever order they came in. Contract: names are checked before. */
export function shellExports(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `export ${name}=${shellWord(value)}`);
}
