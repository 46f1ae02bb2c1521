import {
  type ErrorDetail,
  type ModelUsage,
  type RunEvent,
  RunStatus,
  ToolOutcome,
} from '@palyra/protocol';

/** How a run came out, counted from its events. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly refused: number;
  readonly lastEntryId: string;
  readonly error: Pick<ErrorDetail, 'code' | 'message' | 'help'> | undefined;
  readonly spent: Spent;
}

/** What a run used of its model. */
export interface Spent {
  readonly modelTurns: number;
  readonly tokens: bigint;
  /** In millionths of a US dollar; `undefined` where no prices are configured. */
  readonly costMicroUsd: bigint | undefined;
}

export const UNKNOWN_OUTCOME: RunOutcome = {
  status: RunStatus.UNSPECIFIED,
  refused: 0,
  lastEntryId: '',
  error: undefined,
  spent: { modelTurns: 0, tokens: 0n, costMicroUsd: undefined },
};

export function observe(before: RunOutcome, event: RunEvent): RunOutcome {
  const lastEntryId = event.entryId === '' ? before.lastEntryId : event.entryId;
  const outcome = { ...before, lastEntryId };
  const { event: happening } = event;
  if (happening.case === 'modelMessage') {
    return { ...outcome, spent: afterTurn(outcome.spent, happening.value.usage) };
  }
  if (happening.case === 'runCompacted' && happening.value.usage !== undefined) {
    return { ...outcome, spent: afterTurn(outcome.spent, happening.value.usage) };
  }
  if (happening.case === 'toolFinished' && happening.value.outcome === ToolOutcome.REFUSED) {
    return { ...outcome, refused: outcome.refused + 1 };
  }
  if (happening.case === 'runEnded') {
    const { status, error, spent = outcome.spent } = happening.value;
    const { modelTurns, tokens, costMicroUsd } = spent;
    return { ...outcome, status, error, spent: { modelTurns, tokens, costMicroUsd } };
  }
  if (happening.case === 'runResumed') {
    // The story of a resumed run tells first why it stopped; that is not how it ends.
    return { ...outcome, status: RunStatus.ACTIVE, error: undefined };
  }
  if (happening.case === 'runInterrupted') {
    return { ...outcome, status: RunStatus.INTERRUPTED };
  }
  return outcome;
}

/** Until a run ends its entries say what it used. */
function afterTurn(spent: Spent, usage: ModelUsage | undefined): Spent {
  const { modelTurns, tokens, costMicroUsd } = spent;
  const cost = usage?.costMicroUsd;
  return {
    modelTurns: modelTurns + 1,
    tokens: tokens + (usage?.inputTokens ?? 0n) + (usage?.outputTokens ?? 0n),
    costMicroUsd: cost === undefined ? costMicroUsd : (costMicroUsd ?? 0n) + cost,
  };
}
