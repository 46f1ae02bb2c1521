import type { Caller, Gateway, ModelPort } from '@palyra/gateway';
import { PalyraError, type RunId } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, GrantScope, Role, RunStatus } from '@palyra/protocol';
import { expect } from 'vitest';
import { GIT, call, openRules } from './approvals-and-rules.fixture.ts';
import { endlessModel, talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';

export type Opened = Awaited<ReturnType<typeof openRules>>;

/** A run that waits for so many people, and what the next start makes of it. */
export async function cutOff(at: Opened, questions = 1) {
  const { runId, sessionId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
  const records = await pendingOf(at, questions);
  await using stack = new AsyncDisposableStack();
  const { gateway } = stack.use(await at.restarted());
  expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
  expect(await pendingOf(at, questions)).toEqual(records);
  const [record] = records;
  if (record === undefined) throw new TypeError('nobody was asked');
  const release = stack.move();
  return {
    gateway,
    runId,
    sessionId,
    record,
    records,
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/** A run that was cut off, and another one that goes on in its session until it is cancelled. */
export async function openBusy(questions: number) {
  const turns = talkingModel(
    [GIT, { command: 'git', args: ['log'] }].slice(0, questions).map(call),
    [],
  );
  const endless = endlessModel('');
  const model: ModelPort = {
    ...turns,
    reply: (request, signal) =>
      request.conversation.findLast(({ role }) => role === 'user')?.text === 'meanwhile'
        ? endless.reply(request, signal)
        : turns.reply(request, signal),
  };
  await using stack = new AsyncDisposableStack();
  const at = stack.use(await openRules({ model }));
  const cut = stack.use(await cutOff(at, questions));
  const { sessionId } = cut;
  const other = await cut.gateway.runs.start({ prompt: 'meanwhile', sessionId }, at.asker);
  const release = stack.move();
  return {
    ...at,
    cut: { ...cut, other },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

export async function pendingOf(
  { approvals }: Opened,
  questions: number,
): Promise<ApprovalRecord[]> {
  for (;;) {
    const found = await Array.fromAsync(approvals.list(ApprovalStatus.PENDING, 10));
    if (found.length >= questions) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function answer(
  gateway: Gateway,
  { approvalId, fingerprint }: ApprovalRecord,
  chosen: { readonly answer?: 'granted' | 'denied'; readonly caller?: Caller } = {},
): Promise<ApprovalStatus> {
  const { answer: said = 'granted', caller = ownerCaller() } = chosen;
  const once = { scope: GrantScope.ONCE, shape: '', until: undefined, uses: 0 };
  const given = { approvalId, fingerprint, answer: said, reason: 'not today', ...once };
  return (await gateway.approvals.answer(given, caller)).record.status;
}

export const statusOf = async (gateway: Gateway, runId: RunId) =>
  (await gateway.runs.get(runId, ownerCaller())).status;

/** Until the run has ended, or is seen not to go on. */
export async function ended(gateway: Gateway, runId: RunId): Promise<RunStatus> {
  const signal = AbortSignal.timeout(30_000);
  await Array.fromAsync(gateway.runs.watch({ runId, after: 0 }, ownerCaller(), signal));
  return await statusOf(gateway, runId);
}

export async function resumedBy({ journal }: Opened, runId: RunId): Promise<readonly string[]> {
  const entries = await journal.page({ after: 0, limit: 100, runId });
  return entries.flatMap(({ kind, actor }) => (kind === 'run.resumed' ? [actor] : []));
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

export const bob: Caller = {
  ...ownerCaller(),
  principal: 'user:bob',
  actor: 'user:bob',
  member: { userId: 'bob', name: 'bob', role: Role.OWNER },
  vouchedBy: [],
};

export function codeOf(reason: unknown): string {
  return PalyraError.from(reason).code;
}
