import type { Transport } from '@connectrpc/connect';
import { PalyraError } from '@palyra/kernel';
import { type PalyraClient, createClient } from './client.ts';
import { toPalyraError } from './errors.ts';
import { namingErrors } from './named-errors.ts';

/** A gateway that is there says at once whether it knows us; longer waits would not explain more. */
const ASKING_DEADLINE_MS = 3000;

/**
 * A gateway that shuts a device out cuts its connections, and a cut stream cannot say why. So it is
 * asked once more: who was shut out hears that, everybody else that the connection broke off.
 */
export function explainingStreams(transport: Transport): Transport {
  const client = createClient(transport);
  const named = namingErrors(transport, async (reason, signal) => {
    const error = toPalyraError(reason, signal);
    return error.code === 'DAEMON_UNREACHABLE' ? await explain(error, client) : error;
  });
  return {
    unary: (...call) => transport.unary(...call),
    stream: (...call) => named.stream(...call),
  };
}

async function explain(error: PalyraError, { identity }: PalyraClient): Promise<PalyraError> {
  try {
    await identity.getCaller({}, { timeoutMs: ASKING_DEADLINE_MS });
  } catch (reason) {
    const answer = PalyraError.from(reason);
    return answer.code === 'DAEMON_UNREACHABLE' ? error : answer;
  }
  return new PalyraError(error.code, error.message, {
    cause: error,
    help: 'the gateway answers again: give the same command again',
  });
}
