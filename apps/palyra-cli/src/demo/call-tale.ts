import {
  ApprovalStatus,
  DecisionKind,
  Executor,
  type RunEvent,
  ToolOutcome,
} from '@palyra/protocol';
import { outcomeWord } from '../render/words.ts';

/** One tool call as the events of its run tell it. */
export interface CallTale {
  readonly callId: string;
  readonly tool: string;
  readonly decision: DecisionKind;
  readonly ruleIds: readonly string[];
  readonly reason: string;
  /** How the question about it ended; absent when nobody was asked. */
  readonly asked?: ApprovalStatus;
  readonly outcome: ToolOutcome;
  readonly executor: Executor;
  readonly isAttested: boolean;
  /** What the tool itself says about a failure. */
  readonly failure?: { readonly message: string; readonly help: string };
}

/** How a call may end in the story. */
export type Ending = 'ran' | 'ran after a yes' | 'refused by you' | 'refused by the rules';

/** Who carried a call out. */
export type Hands = 'the gateway' | 'a sandbox of tier C' | 'nobody';

/** Contract: pure; events of calls that were not proposed change nothing. */
export function hearCall(tales: readonly CallTale[], { event }: RunEvent): readonly CallTale[] {
  switch (event.case) {
    case 'toolProposed':
      return [...tales, proposed(event.value.callId, event.value.tool)];
    case 'approvalChanged':
      return change(tales, event.value.callId, { asked: event.value.status });
    case 'toolDecided': {
      const { callId, kind: decision, ruleIds, reason } = event.value;
      return change(tales, callId, { decision, ruleIds, reason });
    }
    case 'toolFinished': {
      const { callId, outcome, error: failure } = event.value;
      return change(tales, callId, { outcome, ...(failure === undefined ? {} : { failure }) });
    }
    case 'toolAttested': {
      const { callId, executor, signature } = event.value;
      return change(tales, callId, { executor, isAttested: signature.length > 0 });
    }
    case 'runQueued':
    case 'runStarted':
    case 'runResumed':
    case 'runCompacted':
    case 'textDelta':
    case 'reasoningDelta':
    case 'toolOutput':
    case 'modelMessage':
    case 'modelSpoken':
    case 'modelAskedAgain':
    case 'toolStarted':
    case 'runEnded':
    case 'runInterrupted':
    case 'sandboxConnected':
    case 'fileChanged':
    case undefined:
  }
  // Also what only a newer daemon tells.
  return tales;
}

/** Contract: `undefined` for an end that the story does not know. */
export function endingOf(tale: CallTale): Ending | undefined {
  const { decision, outcome, asked, isAttested } = tale;
  if (!isAttested) return undefined;
  if (decision === DecisionKind.ALLOW && outcome === ToolOutcome.SUCCEEDED) {
    if (asked === undefined) return 'ran';
    return asked === ApprovalStatus.GRANTED ? 'ran after a yes' : undefined;
  }
  if (decision === DecisionKind.DENY && outcome === ToolOutcome.REFUSED) {
    if (asked === undefined) return 'refused by the rules';
    return asked === ApprovalStatus.DENIED ? 'refused by you' : undefined;
  }
  return undefined;
}

/** Contract: `undefined` for hands that the story does not know. */
export function handsOf({ executor }: CallTale): Hands | undefined {
  switch (executor) {
    case Executor.NONE:
      return 'nobody';
    case Executor.GATEWAY:
      return 'the gateway';
    case Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP:
    case Executor.SANDBOX_TIER_C_LINUX_LANDLOCK:
    case Executor.SANDBOX_TIER_C_MACOS_SANDBOX_EXEC:
    case Executor.SANDBOX_TIER_C_WINDOWS_JOB_OBJECT:
      return 'a sandbox of tier C';
    case Executor.SANDBOX_TIER_A_WASM:
    case Executor.SANDBOX_TIER_B_RLIMITS:
    case Executor.UNSPECIFIED:
  }
  return undefined;
}

/** The same in words, also for an end that the story does not know. */
export function endingWords(tale: CallTale): string {
  return endingOf(tale) ?? (tale.isAttested ? outcomeWord(tale.outcome) : 'not finished');
}

function proposed(callId: string, tool: string): CallTale {
  return {
    callId,
    tool,
    decision: DecisionKind.UNSPECIFIED,
    ruleIds: [],
    reason: '',
    outcome: ToolOutcome.UNSPECIFIED,
    executor: Executor.UNSPECIFIED,
    isAttested: false,
  };
}

function change(
  tales: readonly CallTale[],
  callId: string,
  changes: Partial<CallTale>,
): readonly CallTale[] {
  return tales.map((tale) => (tale.callId === callId ? { ...tale, ...changes } : tale));
}
