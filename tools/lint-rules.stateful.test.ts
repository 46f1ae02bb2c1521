import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, run } from './run.ts';

const LONG_FUNCTION = `export function f(): number {\n${'  Math.abs(1);\n'.repeat(60)}  return 1;\n}\n`;

/** What the house style forbids, and the rule that must notice. */
const FORBIDDEN = {
  'any.ts': ['no-explicit-any', 'export const a = (b: any): unknown => b;'],
  'bang.ts': ['no-non-null-assertion', 'export const a = (b?: string): string => b!;'],
  'assertion.ts': ['consistent-type-assertions', 'export const a = (b: unknown) => b as string;'],
  'unchecked.ts': ['no-unsafe-assignment', "export const a: string = JSON.parse('1');"],
  'floating.ts': ['no-floating-promises', 'export function a(): void { Promise.resolve(1); }'],
  'default-export.ts': ['no-default-export', 'const a = 1;\nexport default a;'],
  'console.ts': ['no-console', "export const a = () => console.log('a');"],
  'swallowed.ts': ['no-empty', 'export function a(f: () => void) { try { f(); } catch {} }'],
  'parameters.ts': ['max-params', 'export const a = (b: 1, c: 1, d: 1, e: 1) => [b, c, d, e];'],
  'long.ts': ['max-lines-per-function', LONG_FUNCTION],
  'plain-throw.ts': ['only-throw-error', "export function a(): never { throw 'a'; }"],
  'gap.ts': [
    'switch-exhaustiveness-check',
    "export function a(b: 'x' | 'y') { switch (b) { case 'x': return 1; } return 2; }",
  ],
  'suppressed.ts': ['ban-ts-comment', '// @ts-ignore\nexport const a = 1;'],
  'Name_Case.ts': ['filename-case', 'export const a = 1;'],
  'only.test.ts': ['no-focused-tests', "import { it } from 'vitest';\nit.only('a', () => {});"],
  'skip.test.ts': ['no-disabled-tests', "import { it } from 'vitest';\nit.skip('a', () => {});"],
} as const;

describe('the lint rules', () => {
  it('notice everything that the house style forbids', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-lint-'));
    writeFileSync(join(folder.path, 'tsconfig.json'), tsconfig());
    for (const [name, [, source]] of Object.entries(FORBIDDEN)) {
      writeFileSync(join(folder.path, name), `${source}\n`);
    }
    const { code, output } = await run({
      program: 'oxlint',
      args: ['--type-aware', '--format=unix', '-c', join(ROOT, '.oxlintrc.json'), folder.path],
      output: 'keep',
    });
    expect(code).toBe(1);
    const missed = Object.entries(FORBIDDEN).filter(
      ([name, [rule]]) =>
        !output.split('\n').some((line) => line.includes(`${name}:`) && line.includes(rule)),
    );
    expect(missed.map(([name]) => name)).toEqual([]);
  });
});

/** As strict as the real one, without packages: there are none beside these files. */
function tsconfig(): string {
  return JSON.stringify({
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { types: [] },
    include: ['*.ts'],
    exclude: [],
  });
}
