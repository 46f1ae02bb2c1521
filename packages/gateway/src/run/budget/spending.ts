import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import {
  ApprovalStatus,
  type ModelUsage,
  type RunSpending,
  RunSpendingSchema,
} from '@palyra/protocol';

/** What a run has used so far, as its entries tell it. */
export interface Spending {
  readonly modelTurns: number;
  /** By call, so that one which goes through the stages again after a crash counts once. */
  readonly calls: ReadonlySet<string>;
  readonly tokens: number;
  readonly costMicroUsd: number | undefined;
  /** What its costliest turn cost. */
  readonly costliestTurn: number;
  /** Questions that were put to people. */
  readonly approvals: number;
  readonly wallMs: number;
}

export const NOTHING_SPENT: Spending = {
  modelTurns: 0,
  calls: new Set(),
  tokens: 0,
  costMicroUsd: undefined,
  costliestTurn: 0,
  approvals: 0,
  wallMs: 0,
};

type ToldEntry = Pick<SealedEntry, 'kind' | 'payload' | 'time'>;

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** Contract: the entries of one run, in order. */
export function spendingOf(entries: readonly ToldEntry[]): Spending {
  const calls = new Set<string>();
  let approvals = 0;
  let used = NOTHING_SPENT;
  for (const { kind, payload } of entries) {
    if (kind === 'tool.proposed') {
      calls.add(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
    } else if (kind === 'approval.asked') {
      approvals += 1;
    } else if (kind === 'model.message') {
      used = withTurn(used, fromJson(JOURNAL_KINDS[kind], payload, READ).usage);
    } else if (kind === 'run.compacted') {
      const { usage } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      if (usage !== undefined) used = withTurn(used, usage);
    } else if (kind === 'run.interrupted' || kind === 'run.ended') {
      const { spent } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      if (spent !== undefined) used = atLeast(used, spent);
    }
  }
  return { ...used, calls, approvals, wallMs: wallTimeOf(entries) };
}

function withTurn(spent: Spending, usage: ModelUsage | undefined): Spending {
  return { ...afterTurn(spent, usage), modelTurns: spent.modelTurns + 1 };
}

/** A turn that was cut off before it said a word is in nothing but what the run came to. */
function atLeast(told: Spending, { modelTurns, tokens, costMicroUsd }: RunSpending): Spending {
  const least = {
    ...told,
    modelTurns: Math.max(told.modelTurns, modelTurns),
    tokens: Math.max(told.tokens, Number(tokens)),
  };
  if (costMicroUsd === undefined) return least;
  const { costMicroUsd: known = 0, costliestTurn } = told;
  const cost = Math.max(known, Number(costMicroUsd));
  return {
    ...least,
    costMicroUsd: cost,
    costliestTurn: Math.max(costliestTurn, cost - known),
  };
}

/** Contract: none is told of only for a turn that used nothing. */
export function afterTurn(spent: Spending, usage: ModelUsage | undefined): Spending {
  if (usage === undefined) return spent;
  const { inputTokens, outputTokens, costMicroUsd } = usage;
  const tokens = spent.tokens + Number(inputTokens) + Number(outputTokens);
  if (costMicroUsd === undefined) return { ...spent, tokens };
  const cost = Number(costMicroUsd);
  return {
    ...spent,
    tokens,
    costMicroUsd: (spent.costMicroUsd ?? 0) + cost,
    costliestTurn: Math.max(spent.costliestTurn, cost),
  };
}

export function spendingMessage(spent: Spending): RunSpending {
  const { modelTurns, calls, tokens, costMicroUsd, approvals, wallMs } = spent;
  return create(RunSpendingSchema, {
    modelTurns,
    toolCalls: calls.size,
    tokens: BigInt(tokens),
    approvals,
    wallMs: BigInt(wallMs),
    ...(costMicroUsd === undefined ? {} : { costMicroUsd: BigInt(costMicroUsd) }),
  });
}

/** Nobody drives a run after one of these, whatever people answer, until one of the others. */
const RESTS = new Set<string>(['run.queued', 'run.interrupted', 'run.ended']);
const BEGINS = new Set<string>(['run.started', 'run.resumed']);

/**
 * How long a run has worked: not while all of its open calls wait for people, and not while nobody
 * drove it. What came after its last entry before a crash is not known and does not count.
 */
function wallTimeOf(entries: readonly ToldEntry[]): number {
  const running = new Set<string>();
  const waiting = new Set<string>();
  let wallMs = 0;
  let isDriven = true;
  let last: number | undefined;
  for (const { kind, payload, time } of entries) {
    const now = Date.parse(time);
    // Whatever else is open waits for a place beside those.
    const isResting = waiting.size > 0 && running.size === 0;
    if (last !== undefined && !isResting && kind !== 'run.interrupted') {
      wallMs += Math.max(0, now - last);
    }
    if (RESTS.has(kind)) isDriven = false;
    else if (BEGINS.has(kind)) isDriven = true;
    last = isDriven ? now : undefined;
    if (kind === 'tool.started') {
      running.add(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
    } else if (kind === 'tool.finished') {
      running.delete(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
    } else if (kind === 'run.resumed') {
      running.clear();
      waiting.clear();
    } else if (
      kind === 'approval.asked' ||
      kind === 'approval.answered' ||
      kind === 'approval.closed' ||
      kind === 'approval.used'
    ) {
      const { callId, status } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      if (status === ApprovalStatus.PENDING) waiting.add(callId);
      else waiting.delete(callId);
    }
  }
  return wallMs;
}
