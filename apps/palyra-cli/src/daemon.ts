import { type PalyraClient, createClient, grpcOverSocket } from '@palyra/client';
import type { Shell } from './command.ts';
import { homeOf } from './home.ts';

/** The running daemon of this user. Opens nothing yet; a call to a daemon that is not there fails. */
export function daemonOf(shell: Shell): PalyraClient {
  return createClient(grpcOverSocket(homeOf(shell).socketPath));
}

/** For those who only look whether it is well: they have something to tell without an answer too. */
export const PROBE = { timeoutMs: 3000 } as const;
