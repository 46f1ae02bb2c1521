import type { Caller } from '@palyra/gateway';

/**
 * Who calls over the unix socket. Its mode is the proof: only the user whose daemon this is can
 * open it. Certificates and tokens will name others; until then there is nobody else.
 */
export const LOCAL_CALLER: Caller = { principal: 'user:local' };
