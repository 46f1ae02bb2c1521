import type { Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { http2 } from './late-http2.ts';

/** The HTTP/2 connections that are open, and how many calls each of them carries. */
export interface Sessions {
  /** Contract: called once for each, before its first call. */
  add(session: ServerHttp2Session, idleMs: number): void;
  /** Resets a call that waits for its caller, and ends the connection unless it carries others. */
  cut(stream: ServerHttp2Stream): void;
  /** Takes no new calls; connections end with the last one that they carry. */
  closeAll(): void;
}

export function createSessions(): Sessions {
  const openCalls = new Map<Http2Session, number>();
  const change = (session: Http2Session, by: 1 | -1) =>
    openCalls.set(session, (openCalls.get(session) ?? 0) + by);
  // Not `close`, which would wait for the other end to let go as well.
  const endIfUnused = (session: Http2Session) => {
    if (openCalls.get(session) === 0) session.destroy();
  };
  return {
    add(session, idleMs) {
      openCalls.set(session, 0);
      session.on('stream', (stream) => {
        change(session, 1);
        stream.on('close', () => change(session, -1));
      });
      session.setTimeout(idleMs, () => endIfUnused(session));
      session.once('close', () => openCalls.delete(session));
    },
    cut(stream) {
      const { session } = stream;
      stream.once('close', () => {
        if (session !== undefined) endIfUnused(session);
      });
      stream.close(http2().constants.NGHTTP2_CANCEL);
    },
    closeAll() {
      for (const session of openCalls.keys()) session.close();
    },
  };
}
