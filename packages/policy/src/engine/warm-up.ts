import { PrincipalKind, Risk, Role } from '@palyra/protocol';
import { requestForCall } from '../request/call-request.ts';
import { NO_OWN_GROUND } from '../request/own-ground.ts';

/** A call of nobody: asked once, so that the first real one does not wait for code to be made. */
export const WARM_UP = requestForCall(
  {
    proposal: { runId: '', sessionId: '', tool: 'warm-up', capabilities: [], risk: Risk.CRITICAL },
    source: 'unknown',
    standing: {
      principal: 'user:nobody',
      kind: PrincipalKind.USER,
      member: '',
      name: '',
      role: Role.UNSPECIFIED,
      scopes: [],
    },
    channel: 'worker',
    deviceId: '',
  },
  { now: new Date(0), own: NO_OWN_GROUND },
);
