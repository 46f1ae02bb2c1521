import { fromJson } from '@bufbuild/protobuf';
import { type Answer, type Approvals, createApprovals } from '@palyra/approvals';
import { type GatewayParts, type ModelEvent, createGateway } from '@palyra/gateway';
import type { RunId } from '@palyra/kernel';
import { ApprovalStatus, GrantScope, Role, type RunEnded, RunEndedSchema } from '@palyra/protocol';
import { ownerCaller } from './owner-caller.ts';
import type { TestGateway } from './test-gateway.ts';

export const never = new AbortController().signal;
export const owner = ownerCaller();
export const { principal, actor } = owner;
export const shown = {
  role: Role.OWNER,
  strength: 'device',
  channel: 'cli',
  vouchedBy: [],
} as const;
export const who = { principal, actor, ...shown };
export const done: readonly ModelEvent[] = [{ kind: 'text', text: 'done' }];

export const ask = (tool: string, args: object): ModelEvent => ({
  kind: 'tool-call',
  tool,
  argumentsJson: JSON.stringify(args),
});
export const write = (path: string) => ask('fs.write', { path, content: 'x', mode: 'replace' });
export const read = (path: string) => ask('fs.read', { path });

/** The real rules, approvals and budgets on one journal. */
export function onOneJournal(test: TestGateway, chosen: Partial<GatewayParts> = {}) {
  const { clock, ids, workspace } = test.parts;
  const people = { roleOf: async () => Role.OWNER };
  const approvals = createApprovals({
    records: test.journal.records,
    people,
    workspace,
    clock,
    ids,
  });
  const parts = { ...test.parts, approvals, approvalDesk: approvals, ...chosen };
  return { approvals, runs: createGateway(parts).runs };
}

/** Calls back with each question as soon as it can be answered. */
export function onQuestion(
  approvals: Approvals,
  answer: (id: string, fingerprint: string) => void,
) {
  return approvals.watch(({ approvalId, fingerprint, status }) => {
    if (status === ApprovalStatus.PENDING) answer(approvalId, fingerprint);
  });
}

export const yes = (
  approvalId: string,
  fingerprint: string,
  more: Partial<Answer> = {},
): Answer => ({
  approvalId,
  fingerprint,
  answer: 'granted',
  reason: '',
  scope: GrantScope.ONCE,
  shape: '',
  until: undefined,
  uses: 0,
  ...more,
});

export async function endOf({ journal }: TestGateway, runId: RunId): Promise<RunEnded> {
  const entries = await journal.page({ after: 0, limit: 500, runId });
  const last = entries.findLast(({ kind }) => kind === 'run.ended');
  return fromJson(RunEndedSchema, last?.payload ?? {});
}

export async function endOfNew(
  test: TestGateway,
  runs: TestGateway['gateway']['runs'],
): Promise<RunEnded> {
  const run = await runs.start({ prompt: 'go' }, owner);
  await Array.fromAsync(run.events(never));
  return await endOf(test, run.runId);
}
