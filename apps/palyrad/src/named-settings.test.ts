import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from './sections.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** `section.key` between backticks, as help texts, errors and guides name a setting. */
const NAMED = /\\?`([a-z]+)\.([a-z_]+)(?:\.[a-z_]+)*\\?`/g;

const KEYS = new Map<string, readonly string[]>(
  Object.entries(SECTIONS).map(([name, section]) => [name, Object.keys(section.shape)]),
);
/** Spelt the same way, and no settings: a permission, a kind of entry, a file, a tool. */
const OTHERS = new Set(['policy.manage', 'journal.archived', 'journal.jsonl', 'http.fetch']);

function namedIn(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(NAMED)].flatMap(([, section = '', key = '']) => {
    const keys = KEYS.get(section);
    const isKnown = keys === undefined || keys.includes(key) || OTHERS.has(`${section}.${key}`);
    return isKnown ? [] : [`${file}: ${section}.${key}`];
  });
}

describe('a setting that a message or a guide names', () => {
  it('is one that there is', () => {
    const files = globSync(
      ['{apps,packages}/*/src/**/*.ts', 'docs/{guides,decisions}/**/*.md', '*.md'],
      {
        cwd: ROOT,
        exclude: (path) => path.includes('/gen/') || path.includes('node_modules'),
      },
    ).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(namedIn)).toEqual([]);
  });
});
