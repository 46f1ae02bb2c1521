import { coveredWords, plural } from '@palyra/client';
import type { JsonObject } from '@bufbuild/protobuf';
import { hideSecrets } from '@palyra/kernel';
import {
  type ApprovalNote,
  ApprovalStatus,
  DecisionKind,
  type ToolAttestation,
  type ToolDecision,
  ToolOutcome,
  type ToolProposal,
  type ToolResult,
} from '@palyra/protocol';
import {
  approvalStatusWord,
  capabilityWord,
  executorWord,
  inline,
  inlineWithoutSecrets,
  outcomeWord,
  riskWord,
  shortTime,
} from './words.ts';

export type Mark = 'done' | 'failed' | 'none';

/** One stage of a tool call as a line: its number and name, how it went, what there is to say. */
export interface StageLine {
  readonly stage: Stage;
  readonly mark: Mark;
  readonly text: string;
  readonly help?: string;
}

export const STAGES = {
  proposal: 1,
  policy: 2,
  approval: 3,
  sandbox: 4,
  attestation: 5,
  journal: 6,
  stream: 7,
} as const;
export type Stage = keyof typeof STAGES;

/** Where the entries of one call stand in the journal. */
export interface CallRecord {
  readonly first: bigint;
  readonly last: bigint;
  readonly entryId: string;
  readonly events: number;
  /** How the question about it stood when it was last told. */
  readonly asked?: ApprovalStatus;
  /** An answer that was there before anybody was asked here; told after what the rules say. */
  readonly answer?: StageLine;
  /** A no; what it means is known with the result. */
  readonly denial?: ToolDecision | undefined;
}

export function proposalLine(proposal: ToolProposal): StageLine {
  const needs = proposal.capabilities.map(capabilityWord).join(', ');
  const text = `risk ${riskWord(proposal.risk)}, ${needs === '' ? 'no capabilities declared' : needs}`;
  return { stage: 'proposal', mark: 'done', text };
}

/** What became of the question about a call; that its answer was used the decision says. */
export function approvalLines(note: ApprovalNote): readonly StageLine[] {
  const { status, voice, gates, deadline, approvalId, reason } = note;
  const approval = (mark: Mark, text: string): StageLine => ({ stage: 'approval', mark, text });
  const by = voice === undefined ? '' : ` by ${inline(voice.principal)}`;
  const why = reason === '' ? '' : `: ${inline(reason)}`;
  switch (status) {
    case ApprovalStatus.PENDING:
      if (voice !== undefined) return [approval('none', `a yes${by}; more people have to answer`)];
      return [
        {
          stage: 'policy',
          mark: 'done',
          text: `a person decides: ${inline(gates[0]?.says ?? '')}`,
        },
        approval('none', `waits until ${shortTime(deadline)} UTC: ${inline(approvalId)}`),
      ];
    case ApprovalStatus.GRANTED:
      return voice === undefined ? [] : [approval('done', `granted${by}`)];
    case ApprovalStatus.DENIED:
    case ApprovalStatus.EXPIRED:
    case ApprovalStatus.CANCELLED:
    case ApprovalStatus.UNSPECIFIED:
  }
  return [approval('failed', `${approvalStatusWord(status)}${by}${why}`)];
}

/**
 * An answer that is used and was not told here: of a grant, or of somebody while the run was interrupted.
 * `before` is how the question stood until then.
 */
export function answerLine(
  note: ApprovalNote,
  before: ApprovalStatus | undefined,
): StageLine | undefined {
  const { status, voice, approvalId } = note;
  if (status !== ApprovalStatus.GRANTED || voice !== undefined) return undefined;
  const covered = coveredWords(note);
  if (covered === undefined && before !== undefined) return undefined;
  const text = inline(covered ?? `granted, ${approvalId}`);
  return { stage: 'approval', mark: 'done', text };
}

/** A no that nobody said: the run was over before anybody could decide for it. */
export function withdrawnLine({ reason }: ToolDecision): StageLine {
  return { stage: 'policy', mark: 'none', text: inline(reason) };
}

/** After a question there is only left to say what was not told with its end. */
export function ruledLines(decision: ToolDecision, asked: ApprovalStatus): readonly StageLine[] {
  const reason = inline(decision.reason);
  if (decision.kind === DecisionKind.ALLOW) {
    return [{ stage: 'policy', mark: 'done', text: `allowed: ${reason}` }];
  }
  const help = helpOf(decision.help);
  switch (asked) {
    case ApprovalStatus.PENDING:
      return [{ stage: 'approval', mark: 'failed', text: reason, ...help }];
    case ApprovalStatus.GRANTED:
      return [{ stage: 'policy', mark: 'failed', text: `denied: ${reason}`, ...help }];
    case ApprovalStatus.DENIED:
    case ApprovalStatus.EXPIRED:
    case ApprovalStatus.CANCELLED:
    case ApprovalStatus.UNSPECIFIED:
  }
  return [];
}

/** What the policy said, and whether a person was asked. */
export function decisionLines(decision: ToolDecision): readonly StageLine[] {
  const reason = inline(decision.reason);
  const asked = decision.approvalId !== '';
  const approval = (mark: Mark, text: string): StageLine => ({ stage: 'approval', mark, text });
  switch (decision.kind) {
    case DecisionKind.ALLOW:
      return [
        { stage: 'policy', mark: 'done', text: `allowed: ${reason}` },
        asked
          ? approval('done', `granted, ${inline(decision.approvalId)}`)
          : approval('none', 'not needed'),
      ];
    case DecisionKind.NEEDS_APPROVAL:
      return [
        { stage: 'policy', mark: 'done', text: `a person decides: ${reason}` },
        approval('none', 'waiting for an answer'),
      ];
    case DecisionKind.DENY:
    case DecisionKind.UNSPECIFIED:
  }
  // What is not known to be a yes is a no.
  const [gate] = decision.gates;
  if (gate !== undefined) {
    // The rules did not refuse it: they wanted a person, and none said yes.
    return [
      { stage: 'policy', mark: 'done', text: `a person decides: ${inline(gate.says)}` },
      { ...approval('failed', asked ? `denied: ${reason}` : reason), ...helpOf(decision.help) },
    ];
  }
  return [
    { stage: 'policy', mark: 'failed', text: `denied: ${reason}`, ...helpOf(decision.help) },
    asked
      ? approval('failed', `denied, ${inline(decision.approvalId)}`)
      : approval('none', 'not asked'),
  ];
}

/** What became of a call that was refused before it came to the sandbox; why, its decision says. */
export const NOT_REACHED: StageLine = {
  stage: 'sandbox',
  mark: 'none',
  text: 'not reached, nothing was executed',
};

export function resultLine({ outcome, durationMs, error }: ToolResult): StageLine {
  const stage = 'sandbox';
  const why = error === undefined ? '' : `: ${inline(error.message)}`;
  const help = helpOf(error?.help ?? '');
  switch (outcome) {
    case ToolOutcome.REFUSED:
      return { stage, mark: 'failed', text: `refused, nothing was executed${why}`, ...help };
    case ToolOutcome.SUCCEEDED:
      return { stage, mark: 'done', text: `succeeded in ${durationMs} ms` };
    case ToolOutcome.FAILED:
    case ToolOutcome.TIMED_OUT:
    case ToolOutcome.CANCELLED:
    case ToolOutcome.UNSPECIFIED:
  }
  const text = `${outcomeWord(outcome)} after ${durationMs} ms${why}`;
  return { stage, mark: 'failed', text, ...help };
}

export function attestationLine(attestation: ToolAttestation): StageLine {
  const key = inline(attestation.keyId).slice(0, 12);
  const where = inline(attestation.sandboxEnforcement) || executorWord(attestation.executor);
  return { stage: 'attestation', mark: 'done', text: `signed with key ${key}, ${where}` };
}

/** An event with a sequence is durable before it is sent, so having it proves these two stages. */
export function recordLines(record: CallRecord): readonly StageLine[] {
  return [
    {
      stage: 'journal',
      mark: 'done',
      text: `entries ${record.first} to ${record.last}, ${inline(record.entryId)}`,
    },
    { stage: 'stream', mark: 'done', text: `${plural(record.events, 'event')} received` },
  ];
}

/**
 * Secrets are hidden. What was no object in JSON has no arguments: then it is what the model wrote.
 */
export function argumentText(value: JsonObject | undefined, written = ''): string {
  const isEmpty = Object.keys(value ?? {}).length === 0;
  if (isEmpty && written.trim() !== '')
    return inlineWithoutSecrets(written.slice(0, SHOWN_WRITTEN));
  return inline(JSON.stringify(hideSecrets(value ?? {})));
}

const SHOWN_WRITTEN = 2000;

function helpOf(help: string): { readonly help?: string } {
  return help === '' ? {} : { help: inline(help) };
}
