import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROTECTED_NAMES, PROTECTED_TOGETHER, isProtected, isSecret } from './names.ts';

const RULE = new URL(
  '../../../policy/policies/protected-paths-are-not-written.cedar',
  import.meta.url,
);

describe('names', () => {
  it('that are protected are those of the rule', () => {
    const rule = readFileSync(RULE, 'utf8').split('@id("nothing-outside')[0] ?? '';
    const inRule = rule.slice(rule.indexOf('context.writes')).matchAll(/"([^"]+)"/g);
    const here = new Set([...PROTECTED_NAMES, ...PROTECTED_TOGETHER.flat()]);
    expect(here).toEqual(new Set([...inRule].map(([, name]) => name)));
  });

  it.each([
    [['.git', 'hooks', 'pre-commit'], true],
    [['a', '.GIT', 'config'], true],
    [['git~1', 'config'], true],
    [['.github', 'workflows', 'ci.yml'], true],
    [['.github', 'CODEOWNERS'], false],
    [['.config', 'systemd', 'x'], true],
    [['.config', 'app'], false],
    [['src', 'git'], false],
    [['docs', 'AGENTS.md'], true],
    [['.gitattributes'], true],
  ])('%j protected: %s', (names, expected) => {
    expect(isProtected(names)).toBe(expected);
  });

  it.each([
    ['.env', true],
    ['.ENV', true],
    ['.env.prod', true],
    ['.Env.Prod.Local', true],
    ['.env.example', false],
    ['service-account-ci.json', true],
    ['service.json', false],
    ['server.KEY', true],
    ['key', false],
    ['monkey', false],
    ['.environment', false],
  ])('%s secret: %s', (name, expected) => {
    expect(isSecret(name)).toBe(expected);
  });
});
