import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { GrpcTransportOptions } from '@connectrpc/connect-node';

type SessionManager = NonNullable<GrpcTransportOptions['sessionManager']>;

/** A connection may be gone just when a call is begun on it; the next one is tried then, and no further. */
const MOST_TRIES = 2;

/**
 * All calls on one HTTP/2 connection, which is dialled when there is none. In place of the manager that comes
 * with connect-node: its wait for a connection is a loop with no branch for one that is closed, and a
 * `palyra up` that was interrupted early was once seen to spin in it, deaf to signals.
 */
export class OneConnection implements SessionManager {
  readonly authority: string;
  readonly #dial: () => Duplex;
  #opened: Promise<Opened> | undefined;

  constructor(authority: string, dial: () => Duplex) {
    this.authority = authority;
    this.#dial = dial;
  }

  /** Contract: rejects with why the connection could not be made. */
  async request(
    ...[method, path, headers, options]: Parameters<SessionManager['request']>
  ): Promise<ClientHttp2Stream> {
    for (let tries = 1; ; tries += 1) {
      const opened = await (this.#opened ??= this.#open());
      const { session } = opened;
      try {
        const wanted = { ...headers, ':method': method, ':path': path };
        return keepAwake(opened, session.request(wanted, options));
      } catch (error) {
        if (tries === MOST_TRIES || !(session.closed || session.destroyed)) throw error;
        this.#opened = undefined;
      }
    }
  }

  /** Nothing is asked whether it still lives: the other end says when it does not. */
  notifyResponseByteRead(): void {}

  #open(): Promise<Opened> {
    const session = connect(this.authority, { createConnection: this.#dial });
    const opened = opening(session);
    const forget = () => {
      if (this.#opened === opened) this.#opened = undefined;
    };
    for (const end of ['goaway', 'error', 'close']) session.on(end, forget);
    opened.catch(forget);
    return opened;
  }
}

interface Opened {
  readonly session: ClientHttp2Session;
  /** That have no end yet. */
  calls: number;
}

async function opening(session: ClientHttp2Session): Promise<Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.once('connect', () => resolve());
  session.once('error', reject);
  session.once('close', () => reject(closedEarly()));
  await promise;
  // Node says `connect` also of one that was destroyed meanwhile.
  if (session.destroyed) throw closedEarly();
  session.unref();
  return { session, calls: 0 };
}

/** A program may end while nothing is asked for, and not before an answer is there. */
function keepAwake(opened: Opened, stream: ClientHttp2Stream): ClientHttp2Stream {
  const { session } = opened;
  opened.calls += 1;
  session.ref();
  stream.once('close', () => {
    opened.calls -= 1;
    if (opened.calls === 0 && !session.destroyed) session.unref();
  });
  return stream;
}

function closedEarly(): Error {
  return Object.assign(new Error('the connection was closed before it was made'), {
    code: 'ECONNRESET',
  });
}
