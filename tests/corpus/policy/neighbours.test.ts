import { create } from '@bufbuild/protobuf';
import type { JsonObject } from '@palyra/kernel';
import {
  DecisionKind,
  PolicyCandidateSchema,
  PrincipalKind,
  Role,
  ToolProposalSchema,
} from '@palyra/protocol';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { createCatalogue } from '@palyra/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const catalogue = createCatalogue();

function callTo(name: string, args: JsonObject) {
  const tool = catalogue.find(name);
  const understood = tool?.understand(args, '/workspace');
  if (tool === undefined || understood?.kind !== 'understood') throw new Error('no such call');
  const { capabilities, risk, source } = tool;
  return {
    proposal: create(ToolProposalSchema, {
      runId: 'run',
      sessionId: 'session',
      tool: name,
      capabilities: [...capabilities],
      risk,
      facts: understood.facts,
    }),
    source,
    tier: 'none' as const,
    taint: [],
    budget: 'within' as const,
    standing: {
      principal: 'user:ann',
      kind: PrincipalKind.USER,
      member: 'user:ann',
      name: 'Ann',
      role: Role.OPERATOR,
      scopes: [],
    },
    channel: 'cli',
    deviceId: 'device',
  };
}

const post = { url: 'https://api.example/x?a=1', method: 'POST', body: 'hello' };
const typed = { element: 'search', text: 'weather' };

/** A call, and others that differ in what only its arguments tell; never longer than it is. */
const CALLS: readonly (readonly [string, JsonObject, readonly JsonObject[]])[] = [
  [
    'process.run',
    { command: 'bash', stdin: 'ls -la' },
    [{ command: 'bash', stdin: 'rm -rf' }, { command: 'bash' }],
  ],
  [
    'http.fetch',
    { ...post, headers: [{ name: 'x-a', value: 'b' }] },
    [
      { ...post, headers: [{ name: 'x-a', value: 'c' }] },
      { ...post, headers: [{ name: 'x-c', value: 'd' }] },
      { ...post, body: 'other', headers: [{ name: 'x-a', value: 'b' }] },
      { ...post, url: 'https://api.example/x?b=2', headers: [{ name: 'x-a', value: 'b' }] },
      post,
    ],
  ],
  [
    'fs.write',
    { path: 'src/a.sh', content: 'echo hello' },
    [
      { path: 'src/a.sh', content: 'rm -rf ~/x' },
      { path: 'src/a.sh', content: 'echo hello', mode: 'append' },
    ],
  ],
  [
    'fs.patch',
    { patch: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n' },
    [{ patch: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-z\n+y\n' }],
  ],
  ['browser.click', { element: 'cancel' }, [{ element: 'buy' }]],
  [
    'browser.type',
    typed,
    [
      { ...typed, text: 'secrets' },
      { ...typed, element: 'secret' },
    ],
  ],
];

describe('the smallest rules for some calls, once they are in force', () => {
  let ground: TestGateway;
  beforeAll(async () => {
    ground = await testGateway({ rules: 'ask' });
    const { policyDesk } = ground.parts;
    const rules: string[] = [];
    for (const [tool, args] of CALLS) {
      const { smallestRule } = await policyDesk.foresee(callTo(tool, args), {});
      rules.push(smallestRule);
    }
    const files = [{ name: 'offered.cedar', text: rules.join('\n\n') }];
    const candidate = create(PolicyCandidateSchema, {
      candidate: { case: 'files', value: { files } },
    });
    await policyDesk.apply({ candidate, over: policyDesk.health().policySetHash }, 'user:ann');
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  it.each(CALLS)('spare the question for just that call to %s', async (tool, args, others) => {
    const kinds: DecisionKind[] = [];
    for (const each of [args, ...others]) {
      kinds.push((await ground.parts.policy.judge(callTo(tool, each))).kind);
    }
    expect(kinds).toEqual([DecisionKind.ALLOW, ...others.map(() => DecisionKind.NEEDS_APPROVAL)]);
  });
});
