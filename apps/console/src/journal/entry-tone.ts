import type { JournalEntry } from '@palyra/protocol';
import type { Tone } from '@palyra/ui';

const BY_KIND: Readonly<Record<string, Tone>> = {
  'approval.asked': 'wait',
  'access.refused': 'bad',
  'policy.refused': 'bad',
  'passkey.refused': 'bad',
  'pairing.rejected': 'bad',
  'run.interrupted': 'wait',
};

/** Wire names of how things end, in the fields that say so. */
const BY_ENDING: Readonly<Record<string, Tone>> = {
  DECISION_KIND_ALLOW: 'good',
  DECISION_KIND_NEEDS_APPROVAL: 'wait',
  DECISION_KIND_DENY: 'bad',
  RUN_STATUS_COMPLETED: 'good',
  RUN_STATUS_CANCELLED: 'wait',
  RUN_STATUS_INTERRUPTED: 'wait',
  RUN_STATUS_FAILED: 'bad',
  TOOL_OUTCOME_SUCCEEDED: 'good',
  TOOL_OUTCOME_CANCELLED: 'wait',
  TOOL_OUTCOME_TIMED_OUT: 'bad',
  TOOL_OUTCOME_FAILED: 'bad',
  TOOL_OUTCOME_REFUSED: 'bad',
};

const TELLS: Readonly<Record<string, string>> = {
  'tool.decided': 'kind',
  'tool.finished': 'outcome',
  'run.ended': 'status',
};

/** Whether an entry tells of something good, bad or open. The words beside it say so too. */
export function entryTone({ kind, payload }: JournalEntry): Tone {
  const field = Object.hasOwn(TELLS, kind) ? TELLS[kind] : undefined;
  const ending = field === undefined ? undefined : payload?.[field];
  if (typeof ending === 'string' && Object.hasOwn(BY_ENDING, ending)) {
    return BY_ENDING[ending] ?? 'plain';
  }
  return Object.hasOwn(BY_KIND, kind) ? (BY_KIND[kind] ?? 'plain') : 'plain';
}
