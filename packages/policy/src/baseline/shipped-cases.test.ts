import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decide } from '../engine/decide.ts';
import { CASE_FILE_SUFFIX, parseCases } from '../cases/case-file.ts';
import { runCases } from '../cases/run-cases.ts';
import { testRules } from '../offline/test-rules.ts';
import { builtInNames, builtInTools, loadedBaseline } from './baseline.fixture.ts';

const FOLDER = new URL('../../policies/tests/', import.meta.url);
const names = readdirSync(FOLDER).filter((name) => name.endsWith(CASE_FILE_SUFFIX));

describe('the cases that are shipped', () => {
  it.each(names)('%s holds', async (name) => {
    const parsed = parseCases(readFileSync(new URL(name, FOLDER), 'utf8'), name);
    if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
    const { mode = 'ask', cases } = parsed.file;
    const loaded = await loadedBaseline(mode);
    const results = runCases(cases, {
      decide: (request) => decide(loaded, request),
      tools: builtInTools,
    });
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map((result) => `${name}:${result.case.line}: ${result.difference}`)).toEqual([]);
  });

  it('hold with the command that people have, too', async () => {
    const folder = fileURLToPath(new URL('..', FOLDER));
    const tools = { names: new Set(builtInNames), prefixes: [] };
    const options = { mode: 'ask', tools, catalogue: builtInTools } as const;
    const { results, problems } = await testRules(folder, options);
    expect(problems).toEqual([]);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(new Set(results.map(({ file }) => basename(file)))).toEqual(new Set(names));
  });

  it('are there', () => {
    expect(names.length).toBeGreaterThan(3);
  });
});
