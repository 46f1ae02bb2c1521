import { type ContextValues, createContextKey } from '@connectrpc/connect';
import type { Caller, ConsoleVisit, Stranger } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import type { ConsoleSession } from '@palyra/protocol';
import type { OpenCall } from './watch.ts';

/** Who calls, proven. Absent for a stranger. */
export const callerKey = createContextKey<Caller | undefined>(undefined);
/** The console session by which the caller is known; absent for a device or a token. */
export const sessionKey = createContextKey<ConsoleSession | undefined>(undefined);
/** Of the page that calls, held against what the browser asked for; absent without a session. */
export const originKey = createContextKey<string | undefined>(undefined);
/** From where a device calls that may be a stranger; absent on the console port. */
export const strangerKey = createContextKey<(() => Stranger) | undefined>(undefined);
export const openCallKey = createContextKey<OpenCall | undefined>(undefined);

/** What every service that acts for somebody begins with. */
export function callerIn(values: ContextValues): Caller {
  const caller = values.get(callerKey);
  if (caller === undefined) throw unproven();
  return caller;
}

/**
 * Contract: only a caller that proved itself with a device. A page or a program must not be able
 * to turn its own, shorter-lived proof into another one.
 */
export function deviceCallerIn(values: ContextValues): Caller {
  const caller = callerIn(values);
  if (caller.deviceId !== undefined && values.get(sessionKey) === undefined) return caller;
  throw new PalyraError('PERMISSION_DENIED', 'only a device can ask for this', {
    help: 'use `palyra` on a paired device',
  });
}

/** A person in the console. Contract: throws INVALID_INPUT for every other caller. */
export function visitIn(values: ContextValues): ConsoleVisit {
  const caller = callerIn(values);
  const session = values.get(sessionKey);
  const origin = values.get(originKey);
  if (session !== undefined && origin !== undefined) return { caller, session, origin };
  throw new PalyraError('INVALID_INPUT', 'a passkey can be shown in the console only', {
    help: 'open it with `palyra console`',
  });
}

export function strangerIn(values: ContextValues): Stranger {
  const stranger = values.get(strangerKey);
  if (stranger !== undefined) return stranger();
  throw new PalyraError('PERMISSION_DENIED', 'a device pairs over the device port', {
    help: 'use `palyra pair HOST`',
  });
}

export function unproven(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'this needs a caller who is known');
}
