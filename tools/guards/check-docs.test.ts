import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { checkDocs } from './check-docs.ts';
import { smallRepository } from './small-repository.fixture.ts';

describe('checkDocs', () => {
  it('likes documents that tell the truth', () => {
    expect(complaints({})).toEqual([]);
  });

  it('wants a README from every workspace', () => {
    const { 'packages/kernel/README.md': _gone, ...files } = smallRepository({ 'README.md': '' });
    expect(checkDocs(treeFrom(files))).toEqual([
      { path: 'packages/kernel/README.md', says: 'is missing' },
    ]);
  });

  it('wants the four headings and a name on top', () => {
    expect(complaints({ 'packages/kernel/README.md': '## Owns\n\n## Invariants\n' })).toEqual([
      'packages/kernel/README.md: has no heading `## Does not own`',
      'packages/kernel/README.md: has no heading `## Start reading at`',
      'packages/kernel/README.md: does not start with its name',
    ]);
  });

  it('wants a README of one screen', () => {
    const long = `${smallRepository()['packages/kernel/README.md'] ?? ''}${'more\n'.repeat(60)}`;
    expect(complaints({ 'packages/kernel/README.md': long })).toEqual([
      'packages/kernel/README.md: 71 lines; the most is 60',
    ]);
  });

  it.each([
    ['a link', '[a](gone.md)'],
    ['a file in backticks', 'see `packages/gone/src/a.ts`'],
    ['a file in a picture', '```\napps/gone/src/main.ts → compose\n```'],
  ])('refuses %s that leads nowhere', (_, text) => {
    expect(complaints({ 'docs/a.md': text })).toHaveLength(1);
  });

  it.each([
    ['an address', '[a](https://example.com/a.md)'],
    ['an anchor', '[a](#below)'],
    ['a path of the machine', '`/etc/palyra/palyra.toml` and `~/a/b.toml`'],
    ['a pattern', '`packages/*/src/a.ts`'],
    ['a word with a slash', '`and/or`'],
    ['a file of its own package', '`clock.ts` and `src/clock.ts`'],
  ])('does not mistake %s for a file that is gone', (_, text) => {
    const readme = smallRepository()['packages/kernel/README.md'] ?? '';
    expect(complaints({ 'packages/kernel/README.md': `${readme}${text}\n` })).toEqual([]);
  });

  it.each(['see clock.ts:12', 'see clock.ts#L12', 'see line 12', 'see lines 12-20'])(
    'refuses a line number: %s',
    (text) => {
      expect(complaints({ 'docs/a.md': text })).toHaveLength(1);
    },
  );

  it('refuses a page that the list of pages leaves out', () => {
    const pages = { 'docs/reference/b.md': '', 'docs/decisions/1.md': '' };
    const list = '[start](guides/start.md) and [one](decisions/1.md#why)\n';
    expect(complaints({ ...pages, 'docs/README.md': list })).toEqual([
      'docs/README.md: leaves out `reference/b.md`',
    ]);
  });

  it.each(['string-utils.ts', 'helpers.ts', 'run-manager.ts', 'journal-v2.ts', 'run-service.ts'])(
    'refuses a file called %s',
    (name) => {
      expect(complaints({ [`packages/kernel/src/${name}`]: '' })).toHaveLength(1);
    },
  );

  it('lets a proto service be called one', () => {
    expect(complaints({ 'packages/kernel/src/connect/run-service.ts': '' })).toEqual([]);
  });
});

function complaints(changes: Readonly<Record<string, string>>): string[] {
  return checkDocs(treeFrom(smallRepository(changes))).map(({ path, says }) => `${path}: ${says}`);
}
