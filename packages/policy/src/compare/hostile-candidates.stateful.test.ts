import { GainKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { baselineFiles, compiled } from '../baseline/baseline.fixture.ts';
import type { PolicyFile } from '../model.ts';
import { compareSets } from './compare-sets.ts';

const TOOLS = [
  { name: 'fs.write', capabilities: ['filesystem_write'], risk: 'medium', source: 'built-in' },
  { name: 'http.fetch', capabilities: ['network'], risk: 'medium', source: 'built-in' },
  { name: 'process.run', capabilities: ['process_exec'], risk: 'high', source: 'built-in' },
];

const FETCH = 'action == Action::"tool.execute", resource == Tool::"http.fetch"';
const SPARED = 'action == Action::"tool.unattended", resource == Tool::"http.fetch"';
const TO = 'context has http && context.http.host';
const GATE = 'forbid (principal, action == Action::"tool.execute", resource)';
const YES = 'unless { context has approval && context.approval.count >= 1 }';
const TWO = 'unless { context has approval && context.approval.count >= 2 }';

const rule = (text: string, annotations = '') =>
  `@id("own") @says("for this test")${annotations} ${text};`;
const gate = (terms: string, rest: string) => rule(`${GATE} ${rest}`, ` @gate("approval")${terms}`);

/** Each widens what is allowed beside the rules that ship, in a way that is easily overlooked. */
const HOSTILE: readonly (readonly [what: string, before: string, after: string])[] = [
  [
    'a host comes in through a pattern',
    rule(`permit (principal, ${SPARED}) when { ${TO} == "a.example" }`),
    rule(`permit (principal, ${SPARED}) when { ${TO} like "a.example*" }`),
  ],
  [
    'a gate asks in fewer cases',
    gate('', `when { context.bodyBytes > 0 } ${YES}`),
    gate('', `when { context.bodyBytes > 1000 } ${YES}`),
  ],
  [
    'a forbid has an exception',
    rule(`forbid (principal, ${FETCH})`),
    rule(`forbid (principal, ${FETCH}) unless { context.argumentBytes == 4711 }`),
  ],
  [
    'a rule for one person is for a whole role',
    rule(`permit (principal == User::"ann", ${SPARED})`),
    rule(`permit (principal is User in Role::"operator", ${SPARED})`),
  ],
  ['a gate is content with fewer voices', gate(' @quorum("2")', TWO), gate(' @quorum("1")', YES)],
  [
    'a gate is content with a weaker proof',
    gate(
      ' @strength("passkey")',
      'unless { context has approval && context.approval.count >= 1 && context.approval.strengths.contains(Strength::"passkey") }',
    ),
    gate(' @strength("device")', YES),
  ],
  [
    'a gate is content with anybody instead of an admin',
    gate(' @approvers("admin")', 'unless { context has approval && context.approval.admins >= 1 }'),
    gate(' @approvers("operator")', YES),
  ],
  [
    'a forbid cannot be evaluated any more where it applied',
    rule(`forbid (principal, ${FETCH})`),
    rule(`forbid (principal, ${FETCH}) when { context.argumentBytes * 9007199254740991 >= 0 }`),
  ],
  [
    'a permit has lost its condition',
    rule(`permit (principal, ${SPARED}) when { ${TO} == "a.example" }`),
    rule(`permit (principal, ${SPARED})`),
  ],
  [
    'a rule hides behind the id of a forbid that went',
    rule(`forbid (principal, ${FETCH})`),
    rule(`permit (principal, ${SPARED})`),
  ],
  [
    'a token sees the work of whoever made it',
    '',
    rule(
      'permit (principal is Token, action == Action::"work.see", resource) when { resource has user && resource.user == principal.owner }',
    ),
  ],
];

function files(text: string, all = baselineFiles('ask')): readonly PolicyFile[] {
  return text === '' ? all : [...all, { layer: 'operator', name: 'own.cedar', text }];
}

async function gainsOf(before: readonly PolicyFile[], after: readonly PolicyFile[]) {
  const sets = [compiled(before, 'ask'), compiled(after, 'ask')] as const;
  return (await compareSets(...sets, { tools: TOOLS })).gains;
}

describe('a candidate is never without a gain when', () => {
  it.each(HOSTILE)('%s', async (_what, before, after) => {
    expect(await gainsOf(files(before), files(after))).not.toEqual([]);
  });

  it('a gate that ships comes back as one of the operator that asks for less', async () => {
    const shipped = baselineFiles('ask');
    const id = 'own-secrets-ask';
    const found = shipped.find(({ text }) => text.includes(`@id("${id}")`));
    expect(found).toBeDefined();
    const without = shipped.map((file) =>
      file === found ? { ...file, text: ruleRemoved(file.text, id) } : file,
    );
    const narrower = `@id("${id}") @says("a secret is to be used") @gate("approval") @severity("low") forbid (principal, action == Action::"vault.get", resource == Secret::"one") ${YES};`;
    const gains = await gainsOf(shipped, files(narrower, without));
    expect(gains.map(({ kind }) => kind)).toContain(GainKind.GATE_REMOVED);
  });
});

describe('what a gate says to people, and what it waits', () => {
  it.each([
    ['a lower severity', ' @severity("critical")', ' @severity("low")'],
    ['a longer wait', ' @wait("1m")', ' @wait("1h")'],
  ])('is no gain of anybody: %s', async (_what, before, after) => {
    expect(await gainsOf(files(gate(before, YES)), files(gate(after, YES)))).toEqual([]);
  });
});

function ruleRemoved(text: string, id: string): string {
  const start = text.indexOf(`@id("${id}")`);
  const end = text.indexOf('@id(', start + 1);
  return `${text.slice(0, start)}${end === -1 ? '' : text.slice(end)}`;
}
