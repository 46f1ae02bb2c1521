import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answerer, createApprovals } from '@palyra/approvals';
import { type ModelEvent, type ModelPort, type Standing, createGateway } from '@palyra/gateway';
import {
  ApprovalStatus,
  type ApprovalRecord,
  DecisionKind,
  Executor,
  GrantScope,
  PrincipalKind,
  Role,
  type RunEvent,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { rememberingSandbox, talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';
import { tempHome } from './temp-home.ts';
import { testGateway } from './test-gateway.ts';
import { verifies } from './verifies.ts';

const never = new AbortController().signal;
const GIT = { command: 'git', args: ['status'] };
const call = (args: object): ModelEvent => {
  return { kind: 'tool-call', tool: 'process.run', argumentsJson: JSON.stringify(args) };
};

interface Chosen {
  readonly rule?: string;
  readonly model?: ModelPort;
}

/** The real rules and real approvals; who is asked has the roles that the test gives them. */
async function open({ rule, model = talkingModel([call(GIT)], []) }: Chosen = {}) {
  const home = await tempHome();
  if (rule !== undefined) {
    const folder = join(home.places.configDir, 'policies');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'test.cedar'), rule, { mode: 0o600 });
  }
  const test = await testGateway({ home, rules: 'ask', model });
  const { clock, ids, workspace } = test.parts;
  const roles = new Map<string, Role>();
  const people = { roleOf: async (principal: string) => roles.get(principal) ?? Role.OWNER };
  const approvals = createApprovals({
    records: test.journal.records,
    people,
    workspace,
    clock,
    ids,
  });
  const executor = Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP;
  const place = async () => ({ tier: 'C', executor }) as const;
  const sandbox = { ...rememberingSandbox(), place };
  const access = { ...test.parts.identity.access, standing };
  const identity = { ...test.parts.identity, access };
  const gateway = createGateway({
    ...test.parts,
    identity,
    approvals,
    approvalDesk: approvals,
    sandbox,
  });
  const asker = ownerCaller();
  const run = async (onQuestion: (record: ApprovalRecord) => Promise<void>) => {
    const handle = await gateway.runs.start({ prompt: 'go' }, asker);
    const events: RunEvent[] = [];
    for await (const event of handle.events(never)) {
      events.push(event);
      if (event.event.case !== 'approvalChanged') continue;
      const { approvalId, status } = event.event.value;
      if (status === ApprovalStatus.PENDING && event.event.value.voice === undefined) {
        await onQuestion((await approvals.get(approvalId)).record);
      }
    }
    return events.flatMap(({ event }) => (event.case === 'toolDecided' ? [event.value] : []));
  };
  const yes = async (record: ApprovalRecord, principal = asker.principal) => {
    const { approvalId, fingerprint } = record;
    const answer = { approvalId, fingerprint, answer: 'granted', reason: '', shape: '' } as const;
    const once = { scope: GrantScope.ONCE, until: undefined, uses: 0 };
    await approvals.answer({ ...answer, ...once }, { ...ADA, principal, actor: principal });
  };
  return {
    roles,
    sandbox,
    asker,
    approvals,
    run,
    yes,
    [Symbol.asyncDispose]: async () => {
      await gateway.runs.drain(0);
      await test[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Whoever asks is an owner on a device of theirs. */
async function standing(principal: string): Promise<Standing> {
  const rights = { role: Role.OWNER, scopes: [] };
  return { principal, kind: PrincipalKind.USER, member: principal, name: 'ada', ...rights };
}

const ADA: Answerer = {
  principal: '',
  actor: '',
  role: Role.OWNER,
  strength: 'device',
  channel: 'cli',
};

const gated = (annotations: string, suffices: string) =>
  `@id("more")\n@says("more is wanted")\n@gate("approval")\n${annotations}\nforbid (principal, action == Action::"tool.execute", resource)\nunless { context has approval && ${suffices} };\n`;

describe('after a yes the rules decide again', () => {
  it(
    'and one of somebody who has lost their role meanwhile does not suffice',
    verifies('approvals:shown-is-run'),
    async () => {
      await using at = await open();
      const decisions = await at.run(async (record) => {
        at.roles.set('user:bob', Role.UNSPECIFIED);
        await at.yes(record, 'user:bob');
      });
      expect(decisions).toMatchObject([
        { kind: DecisionKind.DENY, approvalId: expect.stringMatching(/^[0-9A-Z]{26}$/) },
      ]);
      expect(at.sandbox.requests).toEqual([]);
    },
  );

  it('and a rule may forbid that somebody approves their own call', async () => {
    const rule = (own: string) =>
      `@id("not-ones-own")\n@says("somebody else has to say yes")\nforbid (principal, action == Action::"tool.execute", resource)\nwhen { context has approval && context.approval.approvers.contains("${own}") };\n`;
    await using own = await open({ rule: rule('user:bob') });
    const [denied] = await own.run(async (record) => await own.yes(record, 'user:bob'));
    expect(denied).toMatchObject({ kind: DecisionKind.DENY, ruleIds: ['not-ones-own'] });
    expect(own.sandbox.requests).toEqual([]);
    await using other = await open({ rule: rule('user:bob') });
    const [allowed] = await other.run(async (record) => await other.yes(record, 'user:eve'));
    expect(allowed).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(other.sandbox.requests).toHaveLength(1);
  });

  it('and where two people are wanted, one is not enough', async () => {
    const rule = gated('@quorum("2")', 'context.approval.count >= 2');
    await using at = await open({ rule });
    const [decision] = await at.run(async (record) => {
      await at.yes(record, 'user:bob');
      expect((await at.approvals.get(record.approvalId)).record.status).toBe(
        ApprovalStatus.PENDING,
      );
      expect(at.sandbox.requests).toEqual([]);
      await at.yes(record, 'user:eve');
    });
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(at.sandbox.requests).toHaveLength(1);
  });

  it('and where a passkey is wanted, nobody can say yes here, and anybody no', async () => {
    const passkey =
      'context.approval.count >= 1 && context.approval.strengths.contains(Strength::"passkey")';
    await using at = await open({ rule: gated('@strength("passkey")', passkey) });
    const decisions = await at.run(async (record) => {
      await expect(at.yes(record)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message:
          'the rule `more` wants the yes confirmed with a passkey, which this build has none of',
        help: expect.stringContaining('@strength("device")'),
      });
      const { approvalId, fingerprint } = record;
      const no = { approvalId, fingerprint, answer: 'denied', reason: 'no passkey' } as const;
      const once = { scope: GrantScope.ONCE, shape: '', until: undefined, uses: 0 };
      await at.approvals.answer({ ...no, ...once }, { ...ADA, principal: 'user:bob' });
    });
    expect(decisions).toMatchObject([{ kind: DecisionKind.DENY, reason: 'no passkey' }]);
  });
});

it(
  'what a model makes of its words after they were said changes nothing',
  verifies('approvals:shown-is-run'),
  async () => {
    const said = { ...call(GIT) };
    const model: ModelPort = {
      ...talkingModel(),
      async *reply({ conversation }) {
        if (conversation.some(({ role }) => role === 'model')) return;
        yield said;
      },
    };
    await using at = await open({ model });
    await at.run(async (record) => {
      Object.assign(said, { argumentsJson: '{"command":"rm","args":["-rf","."]}' });
      await at.yes(record);
    });
    expect(at.sandbox.requests).toMatchObject([
      { arguments: { command: 'git', args: ['status'] } },
    ]);
  },
);
