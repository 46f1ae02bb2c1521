import type { Transport } from '@connectrpc/connect';

/** A daemon that is well answers within milliseconds; one that is stopped never does. */
export const DEFAULT_DEADLINE_MS = 10_000;

/** Gives every single call an end; a call may name its own. Streams go on for as long as they like. */
export function withDeadlines(transport: Transport): Transport {
  return {
    unary(...call) {
      const [method, signal, timeoutMs, ...rest] = call;
      return transport.unary(method, signal, timeoutMs ?? DEFAULT_DEADLINE_MS, ...rest);
    },
    stream: (...call) => transport.stream(...call),
  };
}
