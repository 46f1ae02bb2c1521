import type { Http2Server, Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Link } from '../auth/link.ts';
import type { Watch } from '../auth/watch.ts';
import type { NodeRequest } from '../connect/patience.ts';
import type { TransportParts } from '../connect/routes.ts';
import { type Answer, createHttp1, createHttp2 } from './servers.ts';
import type { Sessions } from './sessions.ts';

/** Every connection that was let in, whichever door it came through. */
export interface Lines extends Disposable {
  take(socket: Socket, link: Link, speech: Speech): void;
  /** Contract: `undefined` for a connection that nobody has let in. */
  linkOf(request: NodeRequest): Link | undefined;
  /** Takes no new calls; connections end with the last one that they carry. */
  closeIdle(): void;
  destroyAll(): void;
}

export type Speech = 'http1' | 'http2';

/** A stranger has nothing to say between calls, and its place is one of few. */
const STRANGER_IDLE_MS = 10_000;
/** A pairing is two calls, one after the other. */
const STRANGER_STREAMS = 4;
/** A pairing waits five minutes for a person. */
const STRANGER_LIFE_MS = 360_000;

export interface LineParts extends Pick<TransportParts, 'settings' | 'log'> {
  readonly sessions: Sessions;
  readonly watch: Watch;
  readonly shutdown: AbortSignal;
  readonly answer: Answer;
}

export function createLines(parts: LineParts): Lines {
  const { settings, sessions, log } = parts;
  const http1 = createHttp1(settings, parts.answer, parts.shutdown);
  const sockets = new Map<Socket, Link>();
  const bySession = new WeakMap<Http2Session, Link>();
  // HTTP/2 shows a stand-in for its socket, so ends of the connection are what is compared.
  const byEnds = new Map<string, Link>();

  const greet = (session: ServerHttp2Session) => {
    const link = byEnds.get(endsOf(session.socket));
    if (link === undefined) {
      session.destroy();
      return;
    }
    bySession.set(session, link);
    sessions.add(session, link.at === 'pairing' ? STRANGER_IDLE_MS : settings.idle_ms);
  };
  const speakHttp2 = (max_streams: number) =>
    createHttp2({ max_streams }, parts.answer).on('session', greet);
  // Made for the first who speaks it.
  let http2: Http2Server | undefined;
  let strangersHttp2: Http2Server | undefined;
  const http2For = ({ at }: Link) =>
    at === 'pairing'
      ? (strangersHttp2 ??= speakHttp2(STRANGER_STREAMS))
      : (http2 ??= speakHttp2(settings.max_streams));

  return {
    take(socket, link, speech) {
      const ends = endsOf(socket);
      const forget = guardLink(socket, link, parts.watch);
      sockets.set(socket, link);
      byEnds.set(ends, link);
      socket.once('close', () => {
        forget();
        sockets.delete(socket);
        byEnds.delete(ends);
      });
      socket.on('error', (reason) => log.debug('connection broke', { reason: reason.message }));
      (speech === 'http2' ? http2For(link) : http1).emit('connection', socket);
    },
    linkOf(request) {
      if (!('stream' in request)) return sockets.get(request.socket);
      const { session } = request.stream;
      return session === undefined ? undefined : bySession.get(session);
    },
    closeIdle() {
      http1.closeIdleConnections();
      sessions.closeAll();
    },
    destroyAll: () => sockets.forEach((_link, socket) => socket.destroy()),
    // Ends its timers; it never listened, so it has nothing else to close.
    [Symbol.dispose]: () => void http1.close(),
  };
}

function endsOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress}|${remotePort}|${localPort}`;
}

/** Contract: returns what to do once the connection is closed. */
function guardLink(socket: Socket, link: Link, watch: Watch): () => void {
  const destroy = () => void socket.destroy();
  switch (link.at) {
    case 'device':
      return link.turnedAway === undefined ? watch.addLink(link.proof, destroy) : () => {};
    case 'carried':
      return watch.addLink(link.proof, destroy);
    case 'pairing': {
      const timer = setTimeout(destroy, STRANGER_LIFE_MS);
      return () => clearTimeout(timer);
    }
    case 'console':
      return () => {};
  }
}
