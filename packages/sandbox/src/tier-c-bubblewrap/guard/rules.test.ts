import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OBEYED_NAMES, isGit, isObeyed, isSecret } from './rules.ts';

const RULE = new URL(
  '../../../../policy/policies/protected-paths-are-not-written.cedar',
  import.meta.url,
);
/** Short names of volumes that Linux does not write in that way. */
const OTHER_SYSTEMS = ['git~1', 'palyra~1'];

/** The names in the first list of the rule, and the pairs that follow it. */
function namesOfTheRule(): readonly string[] {
  const [, rule = ''] = /\nwhen\n(.*?)\n};\n/s.exec(readFileSync(RULE, 'utf8')) ?? [];
  const [list = '', ...pairs] = rule.split('||');
  const textsOf = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  return [
    ...textsOf(list),
    ...pairs.flatMap((pair) => {
      const [folder = '', ...names] = textsOf(pair);
      return names.map((name) => `${folder}/${name}`);
    }),
  ];
}

describe('the guarded names', () => {
  it('are those that the rules protect: whoever may not write one by a tool may not by a command', () => {
    const unguarded = namesOfTheRule().filter((path) => {
      const [parent = '', name = ''] = path.includes('/') ? path.split('/') : ['', path];
      return !isGit(name) && !isObeyed(parent, name) && !isSecret(name);
    });
    expect(unguarded).toEqual(OTHER_SYSTEMS);
  });

  it('are all known to the rules', () => {
    const known = new Set(namesOfTheRule());
    const unknown = OBEYED_NAMES.map((name) => name.toLowerCase()).filter(
      (path) => !known.has(path) && !path.split('/').some((name) => known.has(name)),
    );
    expect(unknown).toEqual([]);
  });
});
