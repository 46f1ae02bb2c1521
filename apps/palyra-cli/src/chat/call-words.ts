import { coveredWords } from '@palyra/client';
import { redactText } from '@palyra/kernel';
import {
  ApprovalStatus,
  DecisionKind,
  Executor,
  ToolOutcome,
  type ToolProposal,
} from '@palyra/protocol';
import { callFields, printArguments, printWritten } from '../render/approval-call.ts';
import { callLine } from '../render/command-line.ts';
import { Gutter } from '../render/gutter.ts';
import { type Field, foldFor, printFields } from '../render/layout.ts';
import { argumentText } from '../render/tool-call-story.ts';
import {
  approvalStatusWord,
  decisionWord,
  executorWord,
  inline,
  outcomeWord,
} from '../render/words.ts';
import type { Terminal, Tone } from '../terminal.ts';
import { type CallState, isWaiting, outputLines } from './call-state.ts';

/** A call on one line: what it is, and how it stands. */
export interface CallHead {
  readonly mark: 'done' | 'failed' | 'asked' | 'open';
  readonly tool: string;
  readonly what: string;
  readonly standing: string;
  /** Why it did not work out. */
  readonly why: string;
}

export const MARK_TONES: Readonly<Record<CallHead['mark'], Tone>> = {
  done: 'good',
  failed: 'bad',
  asked: 'warning',
  open: 'accent',
};

export function headOf(call: CallState): CallHead {
  const { proposal, result, decision } = call;
  const why = result?.error?.message ?? (isRefused(call) ? (decision?.reason ?? '') : '');
  return {
    mark: markOf(call),
    tool: inline(proposal.tool),
    what: whatOf(call),
    standing: standingWords(call),
    why: inline(why),
  };
}

function markOf(call: CallState): CallHead['mark'] {
  if (call.result === undefined) return isWaiting(call) ? 'asked' : 'open';
  return call.result.outcome === ToolOutcome.SUCCEEDED ? 'done' : 'failed';
}

/** A command, a request, the files; only where there is nothing better the arguments. */
function whatOf({ proposal, written }: CallState): string {
  if (written !== undefined) return argumentText(proposal.arguments, written);
  const { process, http, reads = [], writes = [] } = proposal.facts ?? {};
  const paths = [...new Set([...writes, ...reads])];
  const isOfFiles = process === undefined && http === undefined && paths.length > 0;
  return isOfFiles ? inline(redactText(soughtIn(proposal, paths.join(' ')))) : callLine(proposal);
}

/** What is looked for says more of a search than where. */
function soughtIn({ tool, arguments: given }: ToolProposal, where: string): string {
  const text = tool === 'fs.search' ? given?.['text'] : undefined;
  return typeof text === 'string' ? `${JSON.stringify(text)} in ${where}` : where;
}

function standingWords(call: CallState): string {
  const { result, attestation } = call;
  const executor = attestation?.executor ?? call.executor;
  const words = [
    decidedWord(call),
    ...(result === undefined ? [] : [outcomeWords(call)]),
    ...(hasRunIn(executor, call) ? [tierWord(executor)] : []),
  ];
  return words.filter((word) => word !== '').join(' · ');
}

function decidedWord(call: CallState): string {
  const { decision, asked } = call;
  if (decision === undefined) return isWaiting(call) ? 'waits for an answer' : 'being decided';
  if (decision.kind === DecisionKind.ALLOW) {
    if (asked?.grantUsesLeft !== undefined) return 'covered by a grant';
    return decision.approvalId === '' ? 'allowed' : 'granted';
  }
  // The end of the run took it back; nobody said no.
  if (call.result?.outcome === ToolOutcome.CANCELLED) return '';
  return asked === undefined || asked.status === ApprovalStatus.GRANTED
    ? 'refused by the rules'
    : approvalStatusWord(asked.status);
}

function outcomeWords(call: CallState): string {
  const { result, decision } = call;
  if (result === undefined) return '';
  const isAllowed = decision?.kind === DecisionKind.ALLOW;
  // A no of the rules or of a person is told already.
  if (isRefused(call)) return isAllowed ? outcomeWord(result.outcome) : '';
  if (!isAllowed && result.outcome === ToolOutcome.CANCELLED) return outcomeWord(result.outcome);
  const time = durationWords(result.durationMs);
  return result.outcome === ToolOutcome.SUCCEEDED
    ? time
    : `${outcomeWord(result.outcome)} after ${time}`;
}

function isRefused({ result }: CallState): boolean {
  return result?.outcome === ToolOutcome.REFUSED;
}

function hasRunIn(executor: Executor | undefined, call: CallState): executor is Executor {
  return executor !== undefined && executor !== Executor.NONE && !isRefused(call);
}

function tierWord(executor: Executor): string {
  const words = executorWord(executor);
  return /tier [abc]/.exec(words)?.[0] ?? words;
}

export function durationWords(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min`;
}

/** Of what a call wrote, so much is shown when it is opened. */
const SHOWN_OUTPUT_LINES = 200;

/** Everything that is known of a call. */
export function printCallDetails(terminal: Terminal, call: CallState): void {
  const { proposal } = call;
  printFields(terminal, [...callFields(proposal), ...recordFields(call)], foldFor(terminal));
  const whole = `palyra attest show ${inline(call.callId)}`;
  if (call.written === undefined) printArguments(terminal, proposal, whole);
  else printWritten(terminal, call.written);
  const lines = outputLines(call, SHOWN_OUTPUT_LINES);
  if (lines.length === 0) return;
  terminal.print(`  ${terminal.paint('quiet', 'output, the end of it')}`);
  const output = new Gutter(terminal, '    ');
  output.feed(lines.join('\n'));
  output.close();
}

function recordFields(call: CallState): readonly Field[] {
  const { decision, asked, result, attestation } = call;
  const field = (label: string, value: string): readonly Field[] =>
    value === '' ? [] : [[label, value]];
  return [
    ...(decision === undefined
      ? []
      : [
          ...field('decision', `${decisionWord(decision.kind)}: ${inline(decision.reason)}`),
          ...field('rules', decision.ruleIds.map(inline).join(', ')),
          ...field('try', inline(decision.help)),
        ]),
    ...(asked === undefined ? [] : field('approval', askedWords(asked))),
    ...(result === undefined ? [] : field('outcome', outcomeLine(result))),
    ...(attestation === undefined
      ? []
      : [
          ...field('posture', inline(attestation.sandboxEnforcement)),
          ...field(
            'attested',
            `${inline(attestation.attestationId)}, key ${inline(attestation.keyId).slice(0, 12)}`,
          ),
        ]),
    ['call', inline(call.callId)],
  ];
}

function askedWords(asked: NonNullable<CallState['asked']>): string {
  const covered = coveredWords(asked);
  if (covered !== undefined) return inline(covered);
  const { status, voice, approvalId, reason } = asked;
  const by = voice === undefined ? '' : ` by ${inline(voice.principal)}`;
  const why = reason === '' ? '' : `: ${inline(reason)}`;
  return `${approvalStatusWord(status)}${by}${why}, ${inline(approvalId)}`;
}

function outcomeLine({ outcome, durationMs, error }: NonNullable<CallState['result']>): string {
  const why = error === undefined ? '' : `: ${inline(error.message)}`;
  return `${outcomeWord(outcome)}, ${durationWords(durationMs)}${why}`;
}
