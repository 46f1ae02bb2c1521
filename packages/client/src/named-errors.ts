import type { Transport } from '@connectrpc/connect';
import { toPalyraError } from './errors.ts';

/** A transport whose every failure, at the call or in the middle of a stream, is a PalyraError. */
export function withNamedErrors(transport: Transport): Transport {
  return {
    async unary(...call) {
      try {
        return await transport.unary(...call);
      } catch (reason) {
        throw toPalyraError(reason, call[1]);
      }
    },
    async stream(...call) {
      try {
        const response = await transport.stream(...call);
        return { ...response, message: named(response.message, call[1]) };
      } catch (reason) {
        throw toPalyraError(reason, call[1]);
      }
    },
  };
}

async function* named<Message>(
  messages: AsyncIterable<Message>,
  signal: AbortSignal | undefined,
): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (reason) {
    throw toPalyraError(reason, signal);
  }
}
