import { createIds, systemClock } from '@palyra/kernel';
import { type Proposed, propose } from '../src/tool-call/1-proposal.ts';

/** The first stage, fed with whatever a model might write as arguments. */
export function proposer(): (argumentsJson: string) => Proposed {
  const ids = createIds(systemClock());
  const run = {
    runId: ids.next<'run'>(),
    sessionId: ids.next<'session'>(),
    principal: 'user:x',
    workspace: '/workspace',
  };
  const call = { callId: ids.next<'call'>(), tool: 'fs.read' };
  return (argumentsJson) => propose({ ...call, argumentsJson }, run, { find: () => undefined });
}
