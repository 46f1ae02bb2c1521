import type { ContextValues, ServiceImpl } from '@connectrpc/connect';
import type { ConsolePort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import type { ConsoleService, ConsoleSession } from '@palyra/protocol';
import { callerIn, deviceCallerIn, sessionKey } from '../auth/context.ts';
import type { Whereabouts } from '../whereabouts.ts';

export function consoleService(
  desk: ConsolePort,
  whereabouts: Whereabouts,
): ServiceImpl<typeof ConsoleService> {
  return {
    async createConsoleLink(_request, { values }) {
      const { secret, expiresAt } = await desk.createLink(deviceCallerIn(values));
      return { secret, expiresAt: expiresAt.toISOString(), origin: whereabouts.console };
    },
    getConsoleSession(_request, { values }) {
      const { expiresAt } = sessionIn(values);
      return { principal: callerIn(values).principal, expiresAt };
    },
    async endConsoleSession(_request, { values }) {
      await desk.close(sessionIn(values), callerIn(values));
      return {};
    },
  };
}

function sessionIn(values: ContextValues): ConsoleSession {
  const session = values.get(sessionKey);
  if (session !== undefined) return session;
  throw new PalyraError('INVALID_INPUT', 'this call is not made from a console session', {
    help: 'open the console with `palyra console`',
  });
}
