import type { Caller } from '@palyra/gateway';
import { type GetCallerResponse, Role } from '@palyra/protocol';

export type CallerFacts = Omit<GetCallerResponse, '$typeName' | '$unknown'>;

/** What callers are told of themselves. */
export function callerFacts(caller: Caller): CallerFacts {
  const { principal, kind, member, permissions, deviceId } = caller;
  return {
    principal,
    kind,
    name: member?.name ?? '',
    role: member?.role ?? Role.UNSPECIFIED,
    permissions: [...permissions],
    deviceId: deviceId ?? '',
  };
}
