import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyFile } from '../model.ts';
import { policyCaseSchema } from '../cases/policy-case.ts';
import { type CaseResult, runCases } from '../cases/run-cases.ts';
import {
  CORPUS,
  baselineFiles,
  builtInTools,
  compiled,
  loadedBaseline,
  readJson,
} from './baseline.fixture.ts';

const MODES = ['ask', 'auto', 'read-only', 'closed'] as const;

const corpusSchema = z.strictObject({
  says: z.string(),
  mode: z.enum(MODES),
  files: z
    .array(z.strictObject({ layer: z.literal('operator'), name: z.string(), text: z.string() }))
    .default([]),
  rows: z.array(policyCaseSchema),
});

const LETTERS = { A: 'allow', Q: 'ask', D: 'deny' } as const;

const gridsSchema = z.strictObject({
  says: z.string(),
  channels: z.array(z.string()),
  grids: z.array(
    z.strictObject({
      mode: z.enum(MODES),
      principal: z.string(),
      role: z.string(),
      decisions: z.record(z.string(), z.string()),
    }),
  ),
});

const names = readdirSync(CORPUS).filter((name) => name.endsWith('.json'));
const corpora = names.map((name) => ({ name, ...corpusSchema.parse(readJson(name)) }));
const { channels, grids } = gridsSchema.parse(readJson('grids/tools.json'));

/** One line a row that changed, as it would be told to a person. */
function changed(results: readonly CaseResult[]): readonly string[] {
  return results
    .filter(({ passed, case: row, rules, problems }) => !passed || isByChance(row, rules, problems))
    .map(
      ({ case: row, difference, rules }) =>
        `${row.name}: ${difference || `expected no rule, got ${rules.join(', ')}`}`,
    );
}

/** A row that denies without a rule means: no rule allows it, and none was needed to forbid it. */
function isByChance(
  { expect: expected, rule }: CaseResult['case'],
  rules: readonly string[],
  problems: readonly string[],
): boolean {
  return expected === 'deny' && rule === undefined && rules.length > 0 && problems.length === 0;
}

function run(rows: readonly CaseResult['case'][], loaded: LoadedSet): readonly CaseResult[] {
  return runCases(rows, { decide: (request) => decide(loaded, request), tools: builtInTools });
}

describe('the corpus', () => {
  it.each(corpora)('$name holds: $says', async ({ mode, files, rows }) => {
    const results = run(rows, await loadedBaseline(mode, files));
    expect(changed(results)).toEqual([]);
  });

  it('has at least 300 rows', () => {
    const rows = corpora.reduce((sum, corpus) => sum + corpus.rows.length, 0);
    expect(rows).toBeGreaterThanOrEqual(300);
  });

  it('makes every rule of the baseline decide a row', () => {
    const cited = new Set(corpora.flatMap(({ rows }) => rows.map(({ rule }) => rule)));
    const files: readonly PolicyFile[] = MODES.flatMap((mode) => baselineFiles(mode));
    const unique = new Map(files.map((file) => [file.name, file]));
    const { rules } = compiled([...unique.values()], 'ask');
    expect(rules.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
  });
});

describe('every tool, for everybody, through every door', () => {
  it.each(MODES.filter((mode) => mode !== 'closed'))('in the mode %s', async (mode) => {
    const rows = grids
      .filter((grid) => grid.mode === mode)
      .flatMap(({ principal, role, decisions }) =>
        Object.entries(decisions).flatMap(([tool, letters]) =>
          channels.map((channel, place) => ({
            name: `${principal} as ${role} uses ${tool} through ${channel}`,
            principal,
            role,
            tool,
            channel,
            scopes: principal.startsWith('token:') ? ['sessions.use', 'memory.use'] : [],
            tier: 'C',
            expect: z
              .enum(['A', 'Q', 'D'])
              .transform((letter) => LETTERS[letter])
              .parse(letters[place]),
          })),
        ),
      );
    expect(rows).toHaveLength(11 * 14 * 6);
    const results = run(z.array(policyCaseSchema).parse(rows), await loadedBaseline(mode));
    expect(
      results
        .filter(({ passed }) => !passed)
        .map(({ case: { name }, difference }) => `${name}: ${difference}`),
    ).toEqual([]);
  });
});
