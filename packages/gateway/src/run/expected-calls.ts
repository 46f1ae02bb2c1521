import type { GatewayParts } from '../parts.ts';
import type { ModelToolCall } from '../ports.ts';
import { propose } from '../tool-call/1-proposal.ts';
import type { AskedRun } from './run-note.ts';

interface ExpectingContext {
  readonly parts: Pick<GatewayParts, 'catalogue' | 'policyDesk' | 'sandbox'>;
  readonly run: AskedRun;
}

/**
 * What calls would run in is made ready while they are recorded, judged and asked about. It is only
 * that: whatever is different when a call runs, or is never asked for, was made for nothing.
 */
export function expectCalls(calls: readonly ModelToolCall[], context: ExpectingContext): void {
  const { parts, run } = context;
  const { principal, sessionId, workspace } = run;
  const { policySetHash } = parts.policyDesk.health();
  for (const call of calls) {
    const { kind, proposal } = propose(call, run, parts.catalogue);
    if (kind === 'unsound') continue;
    const { tool, arguments: args = {} } = proposal;
    const behind = { principal, sessionId, policySetHash, workspace };
    parts.sandbox.expect({ tool, arguments: args, ...behind });
  }
}
