import type { Transport } from '@connectrpc/connect';
import { toPalyraError } from './errors.ts';

/** Contract: never throws; gives what is thrown instead, or a promise of it. */
export type NameError = (reason: unknown, signal: AbortSignal | undefined) => unknown;

/** A transport whose every failure, at the call or in the middle of a stream, is a PalyraError. */
export function withNamedErrors(transport: Transport): Transport {
  return namingErrors(transport, toPalyraError);
}

export function namingErrors(transport: Transport, name: NameError): Transport {
  return {
    async unary(...call) {
      try {
        return await transport.unary(...call);
      } catch (reason) {
        throw await name(reason, call[1]);
      }
    },
    async stream(...call) {
      try {
        const response = await transport.stream(...call);
        return { ...response, message: named(response.message, call[1], name) };
      } catch (reason) {
        throw await name(reason, call[1]);
      }
    },
  };
}

async function* named<Message>(
  messages: AsyncIterable<Message>,
  signal: AbortSignal | undefined,
  name: NameError,
): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (reason) {
    throw await name(reason, signal);
  }
}
