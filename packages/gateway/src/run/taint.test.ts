import { create } from '@bufbuild/protobuf';
import {
  type CallFacts,
  CallFactsSchema,
  Capability,
  PolicyGateSchema,
  ToolDecisionSchema,
  ToolOutcome,
  ToolProposalSchema,
  ToolResultSchema,
  ToolStartedSchema,
  type ToolDecision,
  type ToolProposal,
} from '@palyra/protocol';
import { systemClock, createIds, type EntryDraft } from '@palyra/kernel';
import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { ACTORS, draftOf } from './run-note.ts';
import { labelsOf, taintOf } from './taint.ts';

interface Made {
  readonly capabilities?: Capability[];
  readonly facts?: Partial<Omit<CallFacts, '$typeName'>>;
  readonly gates?: readonly string[];
}

function call(tool: string, { capabilities = [], facts = {}, gates = [] }: Made = {}) {
  const proposal = create(ToolProposalSchema, {
    callId: `call of ${tool}`,
    tool,
    capabilities,
    facts: create(CallFactsSchema, facts),
  });
  const decision = create(ToolDecisionSchema, {
    callId: proposal.callId,
    gates: gates.map((ruleId) => create(PolicyGateSchema, { ruleId })),
  });
  return { proposal, decision };
}

describe('what a run has seen after a call', () => {
  it.each([
    ['fs.read', ['file']],
    ['fs.list', ['file']],
    ['fs.search', ['file']],
    ['fs.write', []],
    ['fs.patch', []],
    ['process.run', ['tool']],
    ['http.fetch', ['web']],
    ['browser.read', ['web']],
    ['memory.search', ['memory']],
    ['memory.save', []],
    ['mcp.notes.search', ['mcp']],
    ['a-skill.tool', ['tool']],
  ] as const)('of %s is %j', (tool, labels) => {
    expect(labelsOf(call(tool))).toEqual(labels);
  });

  it.each([
    ['a secret by its name', call('http.fetch', { facts: { secrets: ['token'] } })],
    ['a tool that reads secrets', call('x', { capabilities: [Capability.SECRETS_READ] })],
    [
      'a file that usually holds one',
      call('fs.read', { gates: ['touching-files-with-secrets-asks'] }),
    ],
  ])('is a secret too: %s', (_name, made) => {
    expect(labelsOf(made)).toContain('secret');
  });
});

describe('what the journal tells of it', () => {
  const ids = createIds(systemClock());
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };

  interface Told {
    readonly proposal: ToolProposal;
    readonly decision: ToolDecision;
  }

  function drafts({ proposal, decision }: Told, how: 'ran' | 'refused'): readonly EntryDraft[] {
    const { callId } = proposal;
    const actor = ACTORS.gateway;
    const started = create(ToolStartedSchema, { callId });
    const outcome = how === 'ran' ? ToolOutcome.SUCCEEDED : ToolOutcome.REFUSED;
    const result = create(ToolResultSchema, { callId, outcome });
    return [
      draftOf(run, { kind: 'tool.proposed', actor, message: proposal }),
      draftOf(run, { kind: 'tool.decided', actor, message: decision }),
      ...(how === 'ran' ? [draftOf(run, { kind: 'tool.started', actor, message: started })] : []),
      draftOf(run, { kind: 'tool.finished', actor, message: result }),
    ];
  }

  it('is every label of every call that ran, and none of one that was refused', async () => {
    await using test = await testGateway();
    const entries = await test.journal.append([
      ...drafts(call('http.fetch'), 'refused'),
      ...drafts(call('fs.read', { gates: ['touching-files-with-secrets-asks'] }), 'ran'),
      ...drafts(call('process.run'), 'ran'),
    ]);
    expect([...taintOf(entries)].toSorted()).toEqual(['file', 'secret', 'tool']);
    expect(taintOf([])).toEqual(new Set());
  });
});
