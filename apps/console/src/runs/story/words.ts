import { coveredWords } from '@palyra/client';
import {
  ApprovalStatus,
  DecisionKind,
  ErrorCode,
  Executor,
  type RunSpending,
  RunStatus,
  StopReason,
  type ToolAttestation,
  ToolOutcome,
} from '@palyra/protocol';
import type { Tone } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';
import { wordOf } from '../../wire/words.ts';
import type { CallStory } from './call.ts';
import type { Ending } from './run-story.ts';

/** Why a run ended, for somebody who has never read a protocol. */
const STOPS: Readonly<Partial<Record<StopReason, string>>> = {
  [StopReason.DONE]: 'The model asked for nothing more.',
  [StopReason.CANCELLED]: 'Somebody cancelled it.',
  [StopReason.FAILED]: 'Something failed.',
  [StopReason.MODEL_TURNS]: 'It had as many model turns as a run may have.',
  [StopReason.TOOL_CALLS]: 'It made as many tool calls as a run may make.',
  [StopReason.TOKENS]: 'It used as many tokens as a run may use.',
  [StopReason.MONEY]: 'It cost as much as a run may cost.',
  [StopReason.WALL_TIME]: 'It took as long as a run may take.',
  [StopReason.APPROVALS]: 'It asked people as often as a run may ask.',
  [StopReason.DAY]: 'The budget of the day is used up.',
  [StopReason.REPEATED_CALL]: 'The same call came back with the same result again and again.',
  [StopReason.DENIALS]: 'One call after the other was denied.',
};

export function stopWords(reason: StopReason): string {
  return STOPS[reason] ?? '';
}

const STATUS_TONES: Readonly<Partial<Record<RunStatus, Tone>>> = {
  [RunStatus.ACTIVE]: 'accent',
  [RunStatus.COMPLETED]: 'good',
  [RunStatus.CANCELLED]: 'wait',
  [RunStatus.INTERRUPTED]: 'wait',
  [RunStatus.FAILED]: 'bad',
};

export function statusTone(status: RunStatus): Tone {
  return STATUS_TONES[status] ?? 'plain';
}

export function statusWord(status: RunStatus): string {
  return wordOf(RunStatus, status);
}

export function durationWords(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

/** In dollars, exactly enough of them. */
export function costWords(microUsd: bigint): string {
  const dollars = Number(microUsd) / 1_000_000;
  return `$${dollars < 0.01 ? dollars.toFixed(6).replace(/0+$/, '').replace(/\.$/, '') : dollars.toFixed(2)}`;
}

const kept: { count?: Intl.NumberFormat } = {};

function writeCount(count: number | bigint): string {
  kept.count ??= new Intl.NumberFormat('en');
  return kept.count.format(count);
}

export function spentWords(spent: RunSpending): readonly string[] {
  const { modelTurns, toolCalls, tokens, costMicroUsd, wallMs, approvals } = spent;
  return [
    counted(modelTurns, 'model turn'),
    ...(toolCalls === 0 ? [] : [counted(toolCalls, 'tool call')]),
    ...(approvals === 0 ? [] : [counted(approvals, 'approval')]),
    ...(tokens === 0n ? [] : [`${writeCount(tokens)} tokens`]),
    ...(costMicroUsd === undefined ? [] : [costWords(costMicroUsd)]),
    durationWords(Number(wallMs)),
  ];
}

export function counted(amount: number, one: string): string {
  return `${writeCount(amount)} ${one}${amount === 1 ? '' : 's'}`;
}

/** How a call stands, in a word or two and a tone. */
export interface Standing {
  readonly words: string;
  readonly tone: Tone;
}

export function standingOf(call: CallStory): Standing {
  const { result, decision, executor } = call;
  if (result !== undefined) return outcomeOf(call, result.outcome);
  if (isWaiting(call)) return { words: 'waits for an answer', tone: 'wait' };
  if (call.isInterrupted) return { words: interruptedWords(call), tone: 'wait' };
  if (executor !== undefined) return { words: 'running', tone: 'accent' };
  if (decision?.kind === DecisionKind.ALLOW) return { words: 'allowed', tone: 'accent' };
  return { words: 'being decided', tone: 'plain' };
}

/** An answer that came meanwhile is not lost. */
function interruptedWords({ asked, decision }: CallStory): string {
  return decision === undefined && asked?.status === ApprovalStatus.GRANTED
    ? 'granted, not used yet'
    : 'interrupted';
}

function outcomeOf(call: CallStory, outcome: ToolOutcome): Standing {
  switch (outcome) {
    case ToolOutcome.SUCCEEDED:
      return { words: 'done', tone: 'good' };
    case ToolOutcome.REFUSED:
      return { words: refusalWords(call), tone: 'bad' };
    case ToolOutcome.TIMED_OUT:
      return { words: 'timed out', tone: 'bad' };
    case ToolOutcome.CANCELLED:
      return { words: 'cancelled', tone: 'wait' };
    case ToolOutcome.FAILED:
    case ToolOutcome.UNSPECIFIED:
  }
  return { words: 'failed', tone: 'bad' };
}

/** Who said no. */
function refusalWords({ asked, decision }: CallStory): string {
  if (decision?.kind === DecisionKind.ALLOW) return 'refused';
  if (asked === undefined || asked.status === ApprovalStatus.GRANTED) return 'denied by the rules';
  return asked.status === ApprovalStatus.DENIED
    ? 'denied by a person'
    : `approval ${wordOf(ApprovalStatus, asked.status)}`;
}

/** Whether people were asked, and what became of it. */
export function approvalWords(call: CallStory): string {
  const { asked, decision } = call;
  if (asked === undefined) return unaskedWords(call);
  const covered = coveredWords(asked);
  if (covered !== undefined) return inline(covered);
  const isOpen = asked.status === ApprovalStatus.PENDING && decision === undefined;
  const why = asked.reason === '' ? '' : `: ${inline(asked.reason)}`;
  return `${isOpen ? 'waits for an answer' : wordOf(ApprovalStatus, asked.status)}${why}`;
}

/** Nobody was asked now; a grant of before may have answered. */
function unaskedWords({ decision }: CallStory): string {
  if (decision === undefined) return 'not reached yet';
  if (decision.approvalId !== '') return 'covered by an earlier grant';
  return decision.kind === DecisionKind.ALLOW ? 'not needed' : 'not asked for';
}

export function isWaiting({ asked, decision, result }: CallStory): boolean {
  return result === undefined && decision === undefined && asked?.status === ApprovalStatus.PENDING;
}

/** Where it ran: `tier C, linux bubblewrap`. */
export function executorWords(executor: Executor): string {
  const words = wordOf(Executor, executor);
  const tier = /^sandbox tier ([abc]) (.*)$/.exec(words);
  if (tier === null) return executor === Executor.GATEWAY ? 'the gateway itself' : words;
  return `tier ${(tier[1] ?? '').toUpperCase()}, ${tier[2] ?? ''}`;
}

/** The posture in a word: which tier held it. Of one that nobody saw end it is not known what held. */
export function postureOf({
  executor,
  limits,
}: Pick<ToolAttestation, 'executor' | 'limits'>): Standing {
  const tier = /^sandbox tier ([abc]) /.exec(wordOf(Executor, executor))?.[1];
  if (tier !== undefined) {
    const words = `tier ${tier.toUpperCase()}`;
    if (limits === undefined) return { words: `${words}, end not seen`, tone: 'wait' };
    return { words, tone: tier === 'b' ? 'wait' : 'good' };
  }
  if (executor === Executor.GATEWAY) return { words: 'gateway', tone: 'good' };
  return { words: 'not executed', tone: 'plain' };
}

/** Of a turn in which the model failed nothing took effect. */
export function mayResume({ status, error }: Ending): boolean {
  return status === RunStatus.FAILED && error?.code === ErrorCode.MODEL_FAILED;
}
