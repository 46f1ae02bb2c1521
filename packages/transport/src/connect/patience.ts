import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createContextKey } from '@connectrpc/connect';
import type {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';

export type NodeRequest = Parameters<typeof universalRequestFromNodeRequest>[0];
export type NodeResponse = Parameters<typeof universalResponseToNodeResponse>[1];

/** How long a call may wait for its caller. Waiting for us has no end: a watcher may watch. */
export interface Patience {
  /** For a whole request; of a call in which both sides speak, for the first message. */
  readonly requestMs: number;
  /** For the caller to read something, while there is something to read. */
  readonly unreadMs: number;
  cut(stream: ServerHttp2Stream): void;
}

/** Said by a call in which both sides speak, as soon as it has heard enough to begin. */
export const heardEnough = createContextKey<() => void>(() => {});

/** Contract: called before anything is read. Returns what the call may put at `heardEnough`. */
export function limitWaiting(
  request: NodeRequest,
  response: NodeResponse,
  patience: Patience,
): () => void {
  if ('stream' in request) {
    const { stream } = request;
    stopListening(stream);
    cutUnread(stream, patience);
    return cutUnfinished(stream, patience);
  }
  const { socket } = request;
  const timer = watchUnread(socket, patience.unreadMs);
  response.once('close', () => clearInterval(timer));
  response.once('finish', () => {
    if (request.complete) return;
    socket.end();
    cutSoon(socket);
  });
  // The server itself bounds the requests of HTTP/1.1, in which only one side speaks at a time.
  return () => {};
}

function cutUnfinished(stream: ServerHttp2Stream, patience: Patience): () => void {
  const timer = setTimeout(() => patience.cut(stream), patience.requestMs);
  const stop = () => clearTimeout(timer);
  stream.once('end', stop).once('close', stop);
  return stop;
}

function cutUnread(stream: ServerHttp2Stream, patience: Patience): void {
  stream.setTimeout(patience.unreadMs, () => {
    // An answer that is over and has not left waits for its caller too, with nothing left to count.
    if (stream.writableLength > 0 || stream.writableEnded) patience.cut(stream);
  });
}

/** Node's own timeout would count what the caller says as well, and a caller can talk for ever. */
function watchUnread(socket: Socket, unreadMs: number): NodeJS.Timeout {
  let lastSent = -1;
  return setInterval(() => {
    const sent = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && sent === lastSent) socket.destroy();
    lastSent = sent;
  }, unreadMs);
}

/** How long a caller may go on sending after its answer is out. */
const LISTEN_MS = 1_000;

/**
 * A caller that never ends its half would hold the stream, and its place among the streams of the
 * connection, for ever. It gets a moment, because a stream that is cut at once takes the answer
 * along that the caller has not read yet.
 */
function stopListening(stream: ServerHttp2Stream): void {
  // The last event before the trailers leave; `finish` comes only when both halves are closed.
  stream.once('wantTrailers', () => {
    if (!stream.readableEnded) cutSoon(stream);
  });
}

function cutSoon(stream: Duplex): void {
  const timer = setTimeout(() => stream.destroy(), LISTEN_MS);
  stream.once('close', () => clearTimeout(timer));
}
