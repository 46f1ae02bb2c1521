import { redact } from '@palyra/kernel';
import type { ToolDecision } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import type { Connecting } from '../ports.ts';
import { ACTORS, type AskedRun } from '../run/run-note.ts';

interface ConnectingCall {
  readonly decision: ToolDecision;
  readonly run: AskedRun;
  readonly parts: Pick<GatewayParts, 'policy' | 'log'>;
}

/**
 * Asks the rules of this moment about one connection of a call that is under way, with what they were told of
 * the call when they allowed it. Contract: never rejects; doubt is a no.
 */
export async function mayConnect(
  to: Connecting,
  { decision, run, parts }: ConnectingCall,
): Promise<boolean> {
  const { asked } = decision;
  if (asked === undefined) return false;
  const { principal, channel, deviceId } = run;
  const behind = { principal, actor: ACTORS.agent, channel, deviceId };
  try {
    return await parts.policy.mayConnect({ behind, asked, to });
  } catch (reason) {
    parts.log.error('policy failed, the connection is refused', { error: redact(reason) });
    return false;
  }
}
