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

export interface PatienceBounds {
  /** For a whole request; of a call in which both sides speak, for the first message. */
  readonly requestMs: number;
  /** For the caller to read something, while there is something to read. */
  readonly unreadMs: number;
  cut(stream: ServerHttp2Stream): void;
}

/** How long a call may wait for its caller. Waiting for us has no end: a watcher may watch. */
export interface Patience extends Disposable {
  /** Contract: called before anything is read. Returns what the call may put at `heardEnough`. */
  limit(request: NodeRequest, response: NodeResponse): () => void;
}

/** Said by a call in which both sides speak, as soon as it has heard enough to begin. */
export const heardEnough = createContextKey<() => void>(() => {});

/** A call that has no timers yet. */
interface Newcomer {
  startTimers(): void;
}

/**
 * Nearly every call is over before its timers could matter, and they would cost it a tenth of its
 * time. So they start with the first look after it has come, and every bound is longer by up to this.
 */
const LOOK_MS = 250;

export function createPatience(bounds: PatienceBounds): Patience {
  const newcomers = new Set<Newcomer>();
  const looks = setInterval(() => {
    for (const newcomer of newcomers) newcomer.startTimers();
    newcomers.clear();
  }, LOOK_MS).unref();
  const startSoon = (newcomer: Newcomer, call: Duplex | NodeResponse) => {
    newcomers.add(newcomer);
    call.on('close', () => newcomers.delete(newcomer));
  };
  return {
    limit(request, response) {
      if (!('stream' in request)) {
        const { socket } = request;
        startSoon({ startTimers: () => watchUnread(socket, response, bounds) }, response);
        stopListeningTo(request, response);
        return () => {};
      }
      const { stream } = request;
      const unheard = new Unheard(stream, bounds);
      stopListening(stream);
      startSoon(unheard, stream);
      return () => unheard.stop();
    },
    [Symbol.dispose]: () => clearInterval(looks),
  };
}

class Unheard implements Newcomer {
  readonly #stream: ServerHttp2Stream;
  readonly #bounds: PatienceBounds;
  #isHeard = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: ServerHttp2Stream, bounds: PatienceBounds) {
    this.#stream = stream;
    this.#bounds = bounds;
  }

  startTimers(): void {
    const stream = this.#stream;
    cutUnread(stream, this.#bounds);
    if (this.#isHeard || stream.readableEnded) return;
    this.#timer = setTimeout(() => this.#bounds.cut(stream), this.#bounds.requestMs);
    const stop = () => this.stop();
    stream.once('end', stop).once('close', stop);
  }

  stop(): void {
    this.#isHeard = true;
    clearTimeout(this.#timer);
  }
}

function cutUnread(stream: ServerHttp2Stream, bounds: PatienceBounds): void {
  stream.setTimeout(bounds.unreadMs, () => {
    // An answer that is over and has not left waits for its caller too, with nothing left to count.
    if (stream.writableLength > 0 || stream.writableEnded) bounds.cut(stream);
  });
}

/** Node's own timeout would count what the caller says as well, and a caller can talk for ever. */
function watchUnread(socket: Socket, response: NodeResponse, { unreadMs }: PatienceBounds): void {
  let lastSent = -1;
  const timer = setInterval(() => {
    const sent = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && sent === lastSent) socket.destroy();
    lastSent = sent;
  }, unreadMs);
  response.once('close', () => clearInterval(timer));
}

/** The server itself bounds the requests of HTTP/1.1, in which only one side speaks at a time. */
function stopListeningTo(
  request: Exclude<NodeRequest, { stream: unknown }>,
  response: NodeResponse,
): void {
  const { socket } = request;
  response.on('finish', () => {
    if (request.complete) return;
    // Not closed at once: whoever has the answer may ask again on the same connection, and a call whose
    // answer is lost is made a second time by browsers, with a proof that counts once.
    const heard = cutSoon(socket);
    request.once('end', heard);
  });
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
  stream.on('wantTrailers', () => {
    if (!stream.readableEnded) cutSoon(stream);
  });
}

/** Gives what to call when there is nothing more to cut. */
function cutSoon(stream: Duplex): () => void {
  const timer = setTimeout(() => stream.destroy(), LISTEN_MS);
  const stop = () => clearTimeout(timer);
  stream.once('close', stop);
  return stop;
}
