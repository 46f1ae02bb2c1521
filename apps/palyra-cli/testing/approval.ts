import { type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  ApprovalRecordSchema,
  ApprovalStatus,
  Capability,
  CallPreviewSchema,
  DecisionKind,
  Executor,
  GrantShapeSchema,
  OfferedShapeSchema,
  PolicyGateSchema,
  Risk,
  Role,
  SandboxTier,
  ShapePastSchema,
  ToolProposalSchema,
} from '@palyra/protocol';
import type { ShownApproval } from '../src/one-approval.ts';
import { peopleAmong } from '../src/people.ts';
import type { ApprovalView } from '../src/render/approvals.ts';

export const VIEW: ApprovalView = {
  people: peopleAmong([]),
  now: new Date('2026-01-01T00:00:10.000Z'),
  gateway: undefined,
};

const PAST = create(ShapePastSchema, {
  covered: 2,
  inSession: 1,
  asked: 1,
  denied: 1,
  examples: [
    {
      at: '2025-12-31T12:00:00.000Z',
      wasAsked: true,
      decision: DecisionKind.DENY,
      proposal: { facts: { process: { executable: 'git', arguments: ['push', '--force'] } } },
    },
  ],
});

type Proposal = Exclude<MessageInitShape<typeof ToolProposalSchema>, { $typeName: string }>;

/** A question about `git push`, or about what the test says. */
export function shownApproval(changes: Proposal = {}, quorum = 1): ShownApproval {
  const approval = create(ApprovalRecordSchema, {
    approvalId: 'APPROVAL',
    fingerprint: 'f00d',
    status: ApprovalStatus.PENDING,
    askedAt: '2026-01-01T00:00:00.000Z',
    deadline: '2026-01-01T00:05:00.000Z',
    gates: [gateFor(quorum)],
    proposal: create(ToolProposalSchema, { ...PUSH, ...changes }),
    preview: create(CallPreviewSchema, {
      tier: SandboxTier.C,
      executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
      posture: '61 attacks refused on 2025-12-31',
    }),
  });
  const shape = create(GrantShapeSchema, { tool: 'process.run' });
  const offers = [
    create(OfferedShapeSchema, { name: 'exact', says: 'exactly this call', shape }),
    create(OfferedShapeSchema, { name: 'command', says: '`git push` and more', shape, past: PAST }),
  ];
  return { approval, offers };
}

function gateFor(quorum: number) {
  return create(PolicyGateSchema, {
    ruleId: 'ask-first',
    severity: 'high',
    says: 'a program is to be run',
    approvers: Role.OPERATOR,
    quorum,
  });
}

const PUSH: Proposal = {
  runId: 'RUN',
  principal: 'user:ada',
  tool: 'process.run',
  risk: Risk.HIGH,
  capabilities: [Capability.PROCESS_EXEC],
  arguments: { command: 'git', args: ['push', 'a b'] },
  facts: {
    process: { executable: 'git', arguments: ['push', 'a b'], directory: 'src' },
    hosts: [{ name: 'git.example', port: 443, range: 'name' }],
    reads: ['.'],
  },
};
