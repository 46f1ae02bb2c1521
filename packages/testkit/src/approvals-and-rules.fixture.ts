import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answerer, type Approvals, createApprovals } from '@palyra/approvals';
import { createIdentity, identitySection } from '@palyra/identity';
import {
  type Caller,
  type Gateway,
  type GatewayParts,
  type ModelEvent,
  type ModelPort,
  type Standing,
  createGateway,
} from '@palyra/gateway';
import {
  ApprovalStatus,
  type ApprovalRecord,
  Executor,
  GrantScope,
  PrincipalKind,
  Role,
  type RunEvent,
} from '@palyra/protocol';
import { rememberingSandbox, talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';
import { quietLog } from './quiet-log.ts';
import { shippedRules } from './shipped-rules.ts';
import { tempHome } from './temp-home.ts';
import { testGateway } from './test-gateway.ts';

const never = new AbortController().signal;
export const GIT = { command: 'git', args: ['status'] };
export const call = (args: object): ModelEvent => {
  return { kind: 'tool-call', tool: 'process.run', argumentsJson: JSON.stringify(args) };
};

interface Chosen {
  readonly rule?: string;
  readonly model?: ModelPort;
}

/** The real rules and real approvals; who is asked has the roles that the test gives them. */
export async function openRules({ rule, model = talkingModel([call(GIT)], []) }: Chosen = {}) {
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
  const standings = { of: standing };
  const access = {
    ...test.parts.identity.access,
    standing: (principal: string) => standings.of(principal),
  };
  const identity = { ...test.parts.identity, access };
  const parts = { ...test.parts, identity, approvals, approvalDesk: approvals, sandbox };
  const gateway = createGateway(parts);
  const asker = ownerCaller();
  return {
    gateway,
    restarted: () => restarted(gateway, parts),
    standings,
    journal: test.journal,
    identity: test.parts.identity,
    /** What another process would make of the same store. */
    identityAgain: () =>
      createIdentity({
        records: test.journal.records,
        clock,
        ids,
        places: home.places,
        settings: identitySection.parse({}),
        log: quietLog(),
        rules: shippedRules(),
      }),
    roles,
    sandbox,
    asker,
    approvals,
    ...actsOf({ gateway, approvals, asker }),
    [Symbol.asyncDispose]: async () => {
      await gateway.runs.drain(0);
      await test[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** What its next start makes of the same store; what was under way is cut off. */
async function restarted(gateway: Gateway, parts: GatewayParts) {
  await gateway.runs.drain(0);
  const next = createGateway(parts);
  await next.runs.recover();
  await next.takeUpAnswered();
  return { gateway: next, [Symbol.asyncDispose]: () => next.runs.drain(0) };
}

interface Acting {
  readonly gateway: Gateway;
  readonly approvals: Approvals;
  readonly asker: Caller;
}

/** What a test does: a run whose questions it hears, and a yes to one. */
function actsOf({ gateway, approvals, asker }: Acting) {
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
  const yes = async (
    record: ApprovalRecord,
    principal = asker.principal,
    vouchedBy: readonly string[] = [],
  ) => {
    const { approvalId, fingerprint } = record;
    const answer = { approvalId, fingerprint, answer: 'granted', reason: '', shape: '' } as const;
    const once = { scope: GrantScope.ONCE, until: undefined, uses: 0 };
    await approvals.answer(
      { ...answer, ...once },
      { ...ADA, principal, actor: principal, vouchedBy },
    );
  };
  return { run, yes };
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
  vouchedBy: [],
};

/** A rule that asks for more, and what suffices. */
export const gated = (annotations: string, suffices: string) =>
  `@id("more")\n@says("more is wanted")\n@gate("approval")\n${annotations}\nforbid (principal, action == Action::"tool.execute", resource)\nunless { context has approval && ${suffices} };\n`;
