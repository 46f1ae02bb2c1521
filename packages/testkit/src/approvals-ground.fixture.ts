import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { type Answer, type Answerer, type Approvals, createApprovals } from '@palyra/approvals';
import { type Journal, journalSection, openJournal } from '@palyra/journal';
import { type Clock, createIds, systemClock } from '@palyra/kernel';
import {
  ApprovalStatus,
  CallFactsSchema,
  type CallPreview,
  CallPreviewSchema,
  GrantScope,
  type PolicyGate,
  PolicyGateSchema,
  Role,
  type ToolProposal,
  ToolProposalSchema,
} from '@palyra/protocol';
import { TEST_WORKSPACE } from './fakes.ts';
import { type TempHome, tempHome } from './temp-home.ts';

export const ids = createIds(systemClock());
export const never = new AbortController().signal;
export const gate = (more: MessageInitShape<typeof PolicyGateSchema> = {}) =>
  create(PolicyGateSchema, {
    ruleId: 'asks',
    approvers: Role.OPERATOR,
    quorum: 1,
    strength: 'device',
    waitSeconds: 300,
    ...more,
  });

/** Moves only when it is told to; whoever sleeps is woken then. */
export class HandClock implements Clock {
  #now = Date.parse('2030-01-01T00:00:00.000Z');
  readonly #sleepers = new Set<() => void>();
  now() {
    return new Date(this.#now);
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const until = this.#now + ms;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (this.#now >= until) resolve();
      };
      this.#sleepers.add(look);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      look();
    });
  }
  advance(ms: number) {
    this.#now += ms;
    for (const look of this.#sleepers) look();
  }
}

export interface Opened extends AsyncDisposable {
  readonly approvals: Approvals;
  readonly journal: Journal;
  readonly clock: HandClock;
  readonly home: TempHome;
  readonly roles: Map<string, Role>;
}

export async function opened(
  home?: TempHome,
  clock = new HandClock(),
  workspace = TEST_WORKSPACE,
): Promise<Opened> {
  const at = home ?? (await tempHome());
  const settings = journalSection.parse({});
  const journal = await openJournal({ places: at.places, clock: systemClock(), ids, settings });
  const roles = new Map<string, Role>();
  const people = { roleOf: async (principal: string) => roles.get(principal) ?? Role.OWNER };
  const approvals = createApprovals({ records: journal.records, people, workspace, clock, ids });
  return {
    approvals,
    journal,
    clock,
    home: at,
    roles,
    [Symbol.asyncDispose]: async () => {
      await journal[Symbol.asyncDispose]();
      if (home === undefined) await at[Symbol.asyncDispose]();
    },
  };
}

export function callOf(
  words: readonly string[],
  more: MessageInitShape<typeof ToolProposalSchema> = {},
): ToolProposal {
  const text = words.join(' ');
  return create(ToolProposalSchema, {
    callId: ids.next(),
    runId: '01JD0000000000000000000001',
    sessionId: '01JD0000000000000000000002',
    principal: 'user:ada',
    tool: 'process.run',
    fingerprint: `print of ${text} ${ids.next()}`,
    facts: create(CallFactsSchema, {
      process: { executable: 'git', arguments: [...words], directory: '.' },
      reads: ['.'],
      argumentsSha256: text,
    }),
    ...more,
  });
}

export const ada: Answerer = {
  principal: 'user:ada',
  actor: 'user:ada via device:1',
  role: Role.OWNER,
  strength: 'device',
  channel: 'cli',
  vouchedBy: [],
};
export const bob = { ...ada, principal: 'user:bob', actor: 'user:bob' };

export function yes(approvalId: string, fingerprint: string, more: Partial<Answer> = {}): Answer {
  return {
    approvalId,
    fingerprint,
    answer: 'granted',
    reason: '',
    scope: GrantScope.ONCE,
    shape: '',
    until: undefined,
    uses: 0,
    ...more,
  };
}

/** Asks, and gives the question once it can be answered. */
export async function asking(
  { approvals }: Opened,
  proposal: ToolProposal,
  {
    gates = [gate()],
    signal = never,
    look = preview,
  }: { gates?: readonly PolicyGate[]; signal?: AbortSignal; look?: Look } = {},
) {
  const known = new Set((await pending(approvals)).map(({ approvalId }) => approvalId));
  const asked = Promise.withResolvers<string>();
  using _watch = approvals.watch(({ approvalId }) => {
    if (!known.has(approvalId)) asked.resolve(approvalId);
  });
  const answer = approvals.ask(
    {
      proposal,
      gates,
      policySetHash: 'set',
      reserve: async () => {},
      preview: look,
    },
    signal,
  );
  answer.catch(asked.reject);
  return { id: await asked.promise, answer };
}

export type Look = () => Promise<CallPreview>;

export const preview: Look = async () =>
  create(CallPreviewSchema, { posture: 'as proven', workspace: '1:2' });

export const pending = (approvals: Approvals) =>
  Array.fromAsync(approvals.list(ApprovalStatus.PENDING, 100));
