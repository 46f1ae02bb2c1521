import { ConnectError, type Interceptor } from '@connectrpc/connect';
import { type Log, PalyraError, redact } from '@palyra/kernel';
import { HealthService } from '@palyra/protocol';
import type { Readiness } from '../readiness.ts';
import { toConnectError } from './errors.ts';

/** Around every call: nothing is taken before the daemon is ready, and no fault leaves unnamed. */
export function guard(readiness: Readiness, log: Log): Interceptor {
  return (next) => async (request) => {
    const name = (reason: unknown): ConnectError => {
      const method = `${request.service.typeName}/${request.method.name}`;
      if (!request.signal.aborted) report(log, method, reason);
      return toConnectError(reason);
    };
    try {
      if (readiness.phase === 'starting') refuseUnlessHealth(request.service.typeName);
      const response = await next(request);
      if (!response.stream) return response;
      return { ...response, message: named(response.message, name) };
    } catch (reason) {
      throw name(reason);
    }
  };
}

function refuseUnlessHealth(service: string): void {
  if (service === HealthService.typeName) return;
  throw new PalyraError('DAEMON_UNREACHABLE', 'the daemon is still starting', {
    help: 'try again in a moment; `palyra status` tells when it is ready',
  });
}

async function* named<Message>(
  messages: AsyncIterable<Message>,
  name: (reason: unknown) => ConnectError,
): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (reason) {
    throw name(reason);
  }
}

export function report(log: Log, method: string, reason: unknown): void {
  if (reason instanceof ConnectError) {
    log.debug('call malformed', { method, reason: reason.message });
    return;
  }
  const error = PalyraError.from(reason);
  if (error.code === 'UNEXPECTED') {
    log.error('call failed', { method, error: redact(error) });
  } else {
    log.debug('call refused', { method, code: error.code, reason: error.message });
  }
}
