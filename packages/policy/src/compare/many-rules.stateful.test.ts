import { describe, expect, it } from 'vitest';
import { baselineFiles, builtInNames, compiled, readJson } from '../baseline/baseline.fixture.ts';
import type { RuleSet } from '../model.ts';
import * as z from 'zod';
import { compareSets } from './compare-sets.ts';

const manifests = z.record(
  z.string(),
  z.object({ risk: z.string(), capabilities: z.array(z.string()) }),
);
const TOOLS = Object.entries(manifests.parse(readJson('tools/built-in.json'))).map(
  ([name, { risk, capabilities }]) => ({ name, risk, capabilities, source: 'built-in' }),
);

const EXECUTE = 'action == Action::"tool.execute"';
const UNATTENDED = 'action == Action::"tool.unattended"';
const OPERATORS = 'principal is User in Role::"operator"';

/** Of the sorts that people write, so many of each. */
function operatorRules(count = 10): string {
  const rules = Array.from({ length: count }, (_, at) => [
    `@id("host-${at}") @says("a host") permit (${OPERATORS}, ${UNATTENDED}, resource == Tool::"http.fetch") when { context has http && context.http.method == "GET" && context.http.host == "h${at}.example" };`,
    `@id("command-${at}") @says("a command") permit (${OPERATORS}, ${UNATTENDED}, resource == Tool::"process.run") when { context has process && context.process.commandLine == "git word-${at}" };`,
    `@id("folder-${at}") @says("a folder") permit (${OPERATORS}, ${EXECUTE}, resource == Tool::"fs.write") when { context.channel == Channel::"api" && context.writes.allUnder.contains("d${at}") };`,
    `@id("closed-${at}") @says("a closed folder") forbid (principal, ${EXECUTE}, resource) when { context.writes.anyUnder.contains("closed/${at}") };`,
    `@id("asks-${at}") @says("a host that asks") @gate("approval") forbid (principal, ${EXECUTE}, resource) when { context.hosts.anyUnder.contains("e${at}.example") } unless { context has approval && context.approval.count >= 1 };`,
  ]);
  return rules.flat().join('\n');
}

const LINES_OF_A_FILE = 500;

function setWith(text: string): RuleSet {
  const lines = text === '' ? [] : text.split('\n');
  const files = Map.groupBy(lines, (_, place) => Math.floor(place / LINES_OF_A_FILE));
  const more = [...files].map(([place, some]) => ({
    layer: 'operator' as const,
    name: `a${place}.cedar`,
    text: some.join('\n'),
  }));
  return compiled([...baselineFiles('ask'), ...more], 'ask');
}

async function compared(old: RuleSet, candidate: RuleSet) {
  return await compareSets(old, candidate, { tools: TOOLS });
}

/** The work grows with what rules can tell apart, not with all that could be asked. */
const FEW = 300;

describe('fifty rules beside those that ship', () => {
  it('are compared with nothing left out, and every one of them is named', async () => {
    const found = await compared(setWith(''), setWith(operatorRules()));
    expect(found).toMatchObject({ leftOut: 0 });
    expect(found.questions).toBeLessThan(FEW);
    const named = [...found.gains, ...found.losses].flatMap(({ ruleIds }) => ruleIds);
    expect(new Set(named)).toEqual(new Set(found.addedRules));
    expect(found.addedRules).toHaveLength(50);
  });

  it('are compared with a rule that opens everything', async () => {
    const open = '@id("open") @says("everything") permit (principal, action, resource);';
    const found = await compared(setWith(operatorRules()), setWith(operatorRules() + open));
    expect(found).toMatchObject({ leftOut: 0, losses: [] });
    expect(found.questions).toBeLessThan(FEW);
    expect(found.gains.map(({ what }) => what)).toEqual(expect.arrayContaining([...builtInNames]));
  });
});

describe('six hundred rules beside those that ship', () => {
  it('are compared with nothing left out, though Cedar is asked no more than for fifty', async () => {
    const found = await compared(setWith(''), setWith(operatorRules(120)));
    expect(found).toMatchObject({ leftOut: 0 });
    expect(found.addedRules).toHaveLength(600);
    expect(found.questions).toBeLessThan(FEW);
    const named = [...found.gains, ...found.losses].flatMap(({ ruleIds }) => ruleIds);
    expect(new Set(named)).toEqual(new Set(found.addedRules));
  });
});
