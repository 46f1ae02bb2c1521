import { type PalyraClient, createClient, grpcOverSocket } from '@palyra/client';
import type { Shell } from './command.ts';
import { homeOf } from './home.ts';

/** The running daemon of this user. Opens nothing yet; a call to a daemon that is not there fails. */
export function daemonOf(shell: Shell): PalyraClient {
  return createClient(grpcOverSocket(homeOf(shell).socketPath));
}
