import type { Duplex } from 'node:stream';
import { createConnectRouter } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { Log } from '@palyra/kernel';
import { redact } from '@palyra/kernel';
import { type TransportParts, routerOptions, routes } from './routes.ts';

type NodeRequest = Parameters<typeof universalRequestFromNodeRequest>[0];
type NodeResponse = Parameters<typeof universalResponseToNodeResponse>[1];

/** Contract: `false` when the path is no call of ours; the request is then untouched. */
export type CallHandler = (request: NodeRequest, response: NodeResponse) => boolean;

/** Carries calls between Node's servers and the routes; faults go to our log, not to the console. */
export function createCallHandler(parts: TransportParts, shutdown: AbortSignal): CallHandler {
  const router = createConnectRouter({ ...routerOptions(parts), shutdownSignal: shutdown });
  routes(parts)(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (request, response) => {
    const handler = handlers.get(pathOf(request));
    if (handler === undefined) return false;
    stopListening(request, response);
    void carry({ handler, request, response, log: parts.log });
    return true;
  };
}

interface Call {
  readonly handler: UniversalHandler;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly log: Log;
}

async function carry({ handler, request, response, log }: Call): Promise<void> {
  try {
    const call = universalRequestFromNodeRequest(request, response, undefined, undefined);
    await universalResponseToNodeResponse(await handler(call), response);
  } catch (reason) {
    // The answer could not be written: the caller is gone, or sent what cannot be a request.
    log.debug('call broke off', { path: handler.requestPath, error: redact(reason) });
    response.destroy();
  }
}

/** How long a caller may go on sending after its answer is out. */
const LISTEN_MS = 1_000;

/**
 * A caller that never ends its half would hold the stream, and its place among the streams of the
 * connection, for ever. It gets a moment, because a stream that is cut at once takes the answer
 * along that the caller has not read yet.
 */
function stopListening(request: NodeRequest, response: NodeResponse): void {
  if ('stream' in request) {
    const { stream } = request;
    // The last event before the trailers leave; `finish` comes only when both halves are closed.
    stream.once('wantTrailers', () => {
      if (!stream.readableEnded) cutSoon(stream);
    });
    return;
  }
  const { socket } = request;
  response.once('finish', () => {
    if (request.complete) return;
    socket.end();
    cutSoon(socket);
  });
}

function cutSoon(stream: Duplex): void {
  const timer = setTimeout(() => stream.destroy(), LISTEN_MS);
  stream.once('close', () => clearTimeout(timer));
}

function pathOf(request: NodeRequest): string {
  const url = request.url ?? '';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
