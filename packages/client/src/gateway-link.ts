import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { type PalyraClient, createClient } from './client.ts';
import type { OpenGateway } from './connect-to.ts';
import { DEFAULT_DEADLINE_MS } from './deadlines.ts';

/** A client for a gateway that is found, and where needed enrolled at, by the first call. */
export interface GatewayLink extends AsyncDisposable {
  readonly client: PalyraClient;
  /** The gateway itself, opened now if no call has done so yet. */
  open(signal?: AbortSignal): Promise<OpenGateway>;
}

export type OpenWith = (signal: AbortSignal) => Promise<OpenGateway>;

/** Contract: disposing waits for a renewal that is under way; it opens nothing. */
export function linkGateway(openWith: OpenWith): GatewayLink {
  const leaving = new AbortController();
  let opened: Promise<OpenGateway> | undefined;
  const open = (signal?: AbortSignal): Promise<OpenGateway> => {
    // One for all calls: the first to come must not take the others down when it is taken back.
    opened ??= openWith(leaving.signal);
    return signal === undefined ? opened : orAborted(opened, signal);
  };
  return {
    client: createClient(lazyTransport(open)),
    open,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      // Whoever called has heard why it could not be opened.
      const gateway = await opened?.catch(() => undefined);
      await gateway?.[Symbol.asyncDispose]();
    },
  };
}

function lazyTransport(open: (signal: AbortSignal) => Promise<OpenGateway>): Transport {
  return {
    async unary(...call) {
      const [, signal, timeoutMs] = call;
      const { transport } = await open(patience(signal, timeoutMs ?? DEFAULT_DEADLINE_MS));
      return await transport.unary(...call);
    },
    async stream(...call) {
      const { transport } = await open(patience(call[1], OPENING_DEADLINE_MS));
      return await transport.stream(...call);
    },
  };
}

/** Enrolling takes a second; another process that does so may hold us up. */
const OPENING_DEADLINE_MS = 30_000;

function patience(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const late = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}

async function orAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw abortError(signal);
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortError(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function abortError({ reason }: AbortSignal): ConnectError {
  const isLate = reason instanceof Error && reason.name === 'TimeoutError';
  return new ConnectError('not opened', isLate ? Code.DeadlineExceeded : Code.Canceled);
}
