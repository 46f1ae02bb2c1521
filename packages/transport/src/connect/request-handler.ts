import { constants } from 'node:http2';
import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect';
import { type UniversalHandler, assertByteStreamRequest } from '@connectrpc/connect/protocol';
import {
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { Stranger } from '@palyra/gateway';
import { type Log, PalyraError, redact } from '@palyra/kernel';
import { type Known, type Proof, callerOf } from '../auth/caller-of.ts';
import { callerKey, openCallKey, sessionKey, strangerKey } from '../auth/context.ts';
import { refuse } from '../auth/refuse.ts';
import type { Watch } from '../auth/watch.ts';
import type { Whereabouts } from '../whereabouts.ts';
import { report } from './guard.ts';
import { type NodeRequest, type NodeResponse, heardEnough } from './patience.ts';
import { type TransportParts, routerOptions, routes } from './routes.ts';

/** A request on its way to a service. */
export interface Visit {
  readonly path: string;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly onHeardEnough: () => void;
  /** Absent: a stranger. */
  readonly proof: Proof | undefined;
  /** Absent on the console port. */
  readonly stranger: (() => Stranger) | undefined;
}

/** Contract: answers whatever comes; never rejects. */
export type CallHandler = (visit: Visit) => Promise<void>;

export interface CallParts extends TransportParts {
  readonly whereabouts: Whereabouts;
  readonly watch: Watch;
  readonly shutdown: AbortSignal;
}

/** Carries calls between Node's servers and the routes; faults go to our log, not to the console. */
export function createCallHandler(parts: CallParts): CallHandler {
  const { watch, log, clock, shutdown } = parts;
  const router = createConnectRouter({ ...routerOptions(parts), shutdownSignal: shutdown });
  routes(parts, parts.whereabouts)(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const sources = { access: parts.gateway.identity.access, clock };

  return async (visit) => {
    const { proof, request, response } = visit;
    const closed = whenClosed(visit);
    try {
      const known = proof === undefined ? undefined : await callerOf(proof, sources);
      const handler = handlers.get(visit.path);
      // Only whoever is known gets this far with a path that does not exist.
      if (handler === undefined) throw noSuchPath();
      const values = contextOf(visit, known);
      if (proof !== undefined && !closed.already()) {
        const open = watch.enter(proof, () => endCall(request));
        closed.afterwards(() => open.leave());
        values.set(openCallKey, open);
      }
      await carry({ handler, visit, values, log });
    } catch (reason) {
      report(log, visit.path, reason);
      refuse(request, response, reason);
    }
  };
}

function contextOf({ onHeardEnough, stranger }: Visit, known: Known | undefined): ContextValues {
  return createContextValues()
    .set(heardEnough, onHeardEnough)
    .set(callerKey, known?.caller)
    .set(sessionKey, known?.session)
    .set(strangerKey, stranger);
}

interface Closing {
  already(): boolean;
  afterwards(act: () => void): void;
}

/** The caller may leave while we find out who it is; what it opened must not be kept then. */
function whenClosed({ request, response }: Visit): Closing {
  let isClosed = false;
  const source = 'stream' in request ? request.stream : response;
  source.once('close', () => {
    isClosed = true;
  });
  return { already: () => isClosed, afterwards: (act) => void source.once('close', act) };
}

/** Over HTTP/1.1 a call cannot be ended without its connection. */
function endCall(request: NodeRequest): void {
  if ('stream' in request) request.stream.close(constants.NGHTTP2_CANCEL);
  else request.socket.destroy();
}

interface Carried {
  readonly handler: UniversalHandler;
  readonly visit: Visit;
  readonly values: ContextValues;
  readonly log: Log;
}

async function carry({ handler, visit, values, log }: Carried): Promise<void> {
  const { request, response } = visit;
  try {
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

function noSuchPath(): PalyraError {
  return new PalyraError('NOT_FOUND', 'there is no such path', {
    help: 'plain routes are `/healthz` and `/readyz`; calls are made with POST',
  });
}
