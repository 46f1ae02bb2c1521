import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import type { Stranger } from '@palyra/gateway';
import { PalyraError, loopShare, redact } from '@palyra/kernel';
import { type CallerSources, type Known, type Proof, callerOf } from '../auth/caller-of.ts';
import { callerKey, openCallKey, originKey, sessionKey, strangerKey } from '../auth/context.ts';
import { refuse } from '../auth/refuse.ts';
import type { OpenCall, Watch } from '../auth/watch.ts';
import { http2 } from '../http/late-http2.ts';
import type { Whereabouts } from '../whereabouts.ts';
import { carry } from './carry.ts';
import { report } from './guard.ts';
import { type NodeRequest, type NodeResponse, heardEnough } from './patience.ts';
import { type TransportParts, routerOptions, routes } from './routes.ts';

/** The longest call of a stranger holds a certificate request of 4 KiB; nothing else is heard. */
const STRANGER_BYTES = 16_384;

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
  readonly callers: CallerSources;
  readonly shutdown: AbortSignal;
}

/** Carries calls between Node's servers and the routes; faults go to our log, not to the console. */
export function createCallHandler(parts: CallParts): CallHandler {
  const { watch, log, callers } = parts;
  // Made for the first call: a start need not wait for every route in every protocol.
  let handlers: ReadonlyMap<string, UniversalHandler> | undefined;

  return async (visit) => {
    const { proof, request, response } = visit;
    const call = new Call(request, response);
    try {
      await loopShare.turn();
      const known = proof === undefined ? undefined : await callerOf(proof, callers);
      handlers ??= handlersOf(parts);
      const handler = handlers.get(visit.path);
      // Only whoever is known gets this far with a path that does not exist.
      if (handler === undefined) throw noSuchPath();
      const values = contextOf(visit, known);
      if (proof !== undefined) values.set(openCallKey, call.enter(watch, proof));
      const limitBytes = proof === undefined ? STRANGER_BYTES : undefined;
      const carried = { request, response, values, signal: call.signal, limitBytes };
      await carry(handler, carried).catch(
        // The answer could not be written: the caller is gone, or sent what cannot be a request.
        (reason: unknown) => {
          log.debug('call broke off', { path: visit.path, error: redact(reason) });
          response.destroy();
        },
      );
    } catch (reason) {
      report(log, visit.path, reason);
      refuse(request, response, reason);
    }
  };
}

function handlersOf(parts: CallParts): ReadonlyMap<string, UniversalHandler> {
  const router = createConnectRouter({ ...routerOptions(parts), shutdownSignal: parts.shutdown });
  routes(parts, parts.whereabouts)(router);
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

function contextOf(
  { onHeardEnough, stranger, request }: Visit,
  known: Known | undefined,
): ContextValues {
  const values = createContextValues().set(heardEnough, onHeardEnough);
  if (known !== undefined) values.set(callerKey, known.caller);
  if (known?.session !== undefined) {
    values.set(sessionKey, known.session);
    // A session is heard only where Host and Origin were looked at, and agree.
    values.set(originKey, `http://${request.headers.host ?? ''}`);
  }
  if (stranger !== undefined) values.set(strangerKey, stranger);
  return values;
}

/** From the first look at a request until its stream, or its answer over HTTP/1.1, is closed. */
class Call {
  readonly #request: NodeRequest;
  readonly #gone = new AbortController();
  #isClosed = false;
  #open: OpenCall | undefined;

  constructor(request: NodeRequest, response: NodeResponse) {
    this.#request = request;
    const source = 'stream' in request ? request.stream : response;
    source.on('close', () => {
      this.#isClosed = true;
      this.#open?.leave();
      // Whoever has said all has nobody left to tell.
      if (!response.writableEnded) this.#gone.abort(wentAway());
    });
  }

  /** Aborts when the caller goes away before its answer is complete. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The caller may leave while we find out who it is; what it opened is not kept then. */
  enter(watch: Watch, proof: Proof): OpenCall {
    const open = watch.enter(proof, () => endCall(this.#request));
    if (this.#isClosed) open.leave();
    else this.#open = open;
    return open;
  }
}

function wentAway(): ConnectError {
  return new ConnectError('the caller went away', Code.Canceled);
}

/** Over HTTP/1.1 a call cannot be ended without its connection. */
function endCall(request: NodeRequest): void {
  if ('stream' in request) request.stream.close(http2().constants.NGHTTP2_CANCEL);
  else request.socket.destroy();
}

function noSuchPath(): PalyraError {
  return new PalyraError('NOT_FOUND', 'there is no such path', {
    help: 'plain routes are `/healthz` and `/readyz`; calls are made with POST',
  });
}
