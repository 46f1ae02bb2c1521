import { Code, ConnectError, createConnectRouter, createContextValues } from '@connectrpc/connect';
import { type UniversalHandler, assertByteStreamRequest } from '@connectrpc/connect/protocol';
import {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import { type Log, redact } from '@palyra/kernel';
import { pathOf } from '../url-path.ts';
import {
  type NodeRequest,
  type NodeResponse,
  type Patience,
  heardEnough,
  limitWaiting,
} from './patience.ts';
import { type TransportParts, routerOptions, routes } from './routes.ts';

/** Contract: `false` when the path is no call of ours; the request is then untouched. */
export type CallHandler = (request: NodeRequest, response: NodeResponse) => boolean;

/** Carries calls between Node's servers and the routes; faults go to our log, not to the console. */
export function createCallHandler(
  parts: TransportParts,
  shutdown: AbortSignal,
  patience: Patience,
): CallHandler {
  const router = createConnectRouter({ ...routerOptions(parts), shutdownSignal: shutdown });
  routes(parts)(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (request, response) => {
    const handler = handlers.get(pathOf(request.url));
    if (handler === undefined) return false;
    const onHeardEnough = limitWaiting(request, response, patience);
    void carry({ handler, request, response, onHeardEnough, log: parts.log });
    return true;
  };
}

interface Call {
  readonly handler: UniversalHandler;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly onHeardEnough: () => void;
  readonly log: Log;
}

async function carry({ handler, request, response, onHeardEnough, log }: Call): Promise<void> {
  try {
    const values = createContextValues().set(heardEnough, onHeardEnough);
    const call = universalRequestFromNodeRequest(request, response, undefined, values);
    assertByteStreamRequest(call);
    const answer = await handler({ ...call, body: namedBreaks(call.body) });
    await universalResponseToNodeResponse(answer, response);
  } catch (reason) {
    // The answer could not be written: the caller is gone, or sent what cannot be a request.
    log.debug('call broke off', { path: handler.requestPath, error: redact(reason) });
    response.destroy();
  }
}

/** A request that breaks off is the caller's doing, not a fault of ours that the log should show. */
async function* namedBreaks(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new ConnectError('the request broke off', Code.Aborted, undefined, undefined, cause);
  }
}
