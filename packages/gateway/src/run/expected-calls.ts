import { PalyraError, redact } from '@palyra/kernel';
import type { GatewayParts } from '../parts.ts';
import type { ExpectedRun, ModelToolCall } from '../ports.ts';
import { propose } from '../tool-call/1-proposal.ts';
import type { AskedRun } from './run-note.ts';

interface ExpectingContext {
  readonly parts: Pick<GatewayParts, 'catalogue' | 'log' | 'policyDesk' | 'sandbox'>;
  readonly run: AskedRun;
}

/**
 * What calls would run in is made ready while they are recorded, judged and asked about. It is only
 * that: whatever is different when a call runs, or is never asked for, was made for nothing. Contract:
 * never throws; an answer that is not recorded yet must not be lost for it.
 */
export function expectCalls(calls: readonly ModelToolCall[], context: ExpectingContext): void {
  inPassing(context, () => {
    for (const call of calls) expectCall(call, context);
  });
}

/** The same for whatever a run may ask for that begins. Contract: never throws. */
export function expectRun(context: ExpectingContext): void {
  inPassing(context, () => context.parts.sandbox.expectRun(behind(context)));
}

function inPassing({ parts, run }: ExpectingContext, expecting: () => void): void {
  try {
    expecting();
  } catch (reason) {
    const error = redact(PalyraError.from(reason));
    parts.log.warn('what calls would run in is not made ready', { runId: run.runId, error });
  }
}

function expectCall(call: ModelToolCall, context: ExpectingContext): void {
  const { parts, run } = context;
  const { kind, proposal } = propose(call, run, parts.catalogue);
  if (kind === 'unsound') return;
  const { tool, arguments: args = {} } = proposal;
  parts.sandbox.expect({ tool, arguments: args, ...behind(context) });
}

function behind({ parts, run }: ExpectingContext): ExpectedRun {
  const { principal, sessionId, workspace } = run;
  const { policySetHash } = parts.policyDesk.health();
  return { principal, sessionId, policySetHash, workspace };
}
