import { Capability, Risk } from '@palyra/protocol';
import { createCatalogue } from '@palyra/tools';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

function wordOf(names: Readonly<Record<string, number>>, value: number): string {
  const named = Object.entries(names).find(([, known]) => known === value);
  return named?.[0].toLowerCase() ?? 'unknown';
}

it('the corpus speaks of the built-in tools as the catalogue declares them', () => {
  const declared = createCatalogue()
    .all()
    .map(({ name, risk, capabilities }) => [
      name,
      {
        risk: wordOf(Risk, risk),
        capabilities: capabilities.map((capability) => wordOf(Capability, capability)).toSorted(),
      },
    ]);
  const file = new URL('tools/built-in.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(Object.fromEntries(declared));
});
