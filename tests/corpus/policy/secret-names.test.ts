import { readFileSync } from 'node:fs';
import { SECRET_EXTENSIONS, SECRET_NAMES } from '@palyra/tools';
import { expect, it } from 'vitest';

const FILE = new URL(
  '../../../packages/policy/policies/reading-elsewhere-asks.cedar',
  import.meta.url,
);

/** The lists that the rule looks for in one attribute of what is read or written. */
function listsOf(attribute: string): readonly (readonly string[])[] {
  const [, rule = ''] = readFileSync(FILE, 'utf8').split('@id("touching-files-with-secrets-asks")');
  const lists = new RegExp(`\\.${attribute}\\s*\\.containsAny\\s*\\(\\s*\\[(.*?)\\]`, 'gs');
  return Array.from(rule.matchAll(lists), ([, list = '']) =>
    Array.from(list.matchAll(/"([^"]*)"/g), ([, name = '']) => name),
  );
}

it('the rule about files with secrets names what tools leave out below a folder', () => {
  expect(listsOf('parts')).toEqual([SECRET_NAMES, SECRET_NAMES]);
  expect(listsOf('extensions')).toEqual([SECRET_EXTENSIONS, SECRET_EXTENSIONS]);
});
