import type { Server, Socket } from 'node:net';
import { RecordDraft } from '../record.ts';
import { serveConnection } from './connection.ts';
import type { Meter, Running } from './sandbox-egress.ts';
import { type EgressOrder, type ServeOptions, startRunning } from './start-running.ts';

/** The proxy of one sandbox while it runs. */
export interface ServedEgress extends AsyncDisposable {
  /** What the sandbox has to trust where requests are read inside TLS, as PEM. */
  authorityPem(): Promise<string | undefined>;
  totals(): EgressTotals;
  /** Ends the listener and every connection; their records have been made when it resolves. */
  close(): Promise<void>;
}

export interface EgressTotals {
  readonly connections: number;
  /** Closed as they came, because there were too many. */
  readonly dropped: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
}

/** Contract: the server listens already, for this sandbox alone, with LISTENER_OPTIONS. */
export function serveEgress(
  server: Server,
  order: EgressOrder,
  options: ServeOptions,
): ServedEgress {
  const running = startRunning(order, options);
  const { ceilings } = running.sandbox;
  const live = new Map<Socket, Promise<void>>();
  let connections = 0;
  let dropped = 0;

  const drop = (socket: Socket) => {
    socket.on('error', () => {}).resetAndDestroy();
    dropped += 1;
    // The first tells the journal; ten thousand of them would only fill it.
    if (dropped === 1) running.sandbox.onRecord(tooMany(running));
  };
  const accept = (socket: Socket) => {
    if (live.size >= ceilings.connections || connections >= ceilings.connectionsTotal) {
      return drop(socket);
    }
    connections += 1;
    live.set(
      socket,
      serveConnection(socket, running).finally(() => live.delete(socket)),
    );
  };
  const close = async () => {
    server.off('connection', accept);
    if (server.listening) server.close();
    const ended = [...live.values()];
    for (const socket of live.keys()) socket.destroy();
    await Promise.all(ended);
  };
  server.on('connection', accept);
  return {
    authorityPem: async () =>
      isAnythingRead(order) ? (await running.authority()).certificatePem : undefined,
    totals: () => ({ connections, dropped, ...bytesOf(running.meter) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How a listener for `serveEgress` is made: a side that has said all may still listen. */
export const LISTENER_OPTIONS = { allowHalfOpen: true, noDelay: true } as const;

function isAnythingRead({ rules, secrets = [] }: EgressOrder): boolean {
  return secrets.length > 0 || rules.some(({ requests }) => requests !== undefined);
}

function tooMany({ sandbox, clock }: Running) {
  const draft = new RecordDraft(sandbox.id, clock);
  draft.end('too-many-connections');
  return draft.close();
}

function bytesOf({ bytesUp, bytesDown }: Meter) {
  return { bytesUp, bytesDown };
}
