import { create } from '@bufbuild/protobuf';
import {
  type Authority,
  AuthoritySchema,
  AuthorityState,
  type Device,
  DeviceState,
} from '@palyra/protocol';
import { DAY_MS } from './certificate.ts';

/** The one that is replaced: accepted for a while, so that devices move over as they renew. */
export function retiring(authority: Authority, now: Date, days: number): Authority {
  const retiresAt = new Date(now.getTime() + days * DAY_MS).toISOString();
  return create(AuthoritySchema, { ...authority, state: AuthorityState.RETIRING, retiresAt });
}

export function retired(authority: Authority): Authority {
  return create(AuthoritySchema, { ...authority, state: AuthorityState.RETIRED });
}

/** True for a retiring one whose time is over; in doubt about the time it is over. */
export function isDue({ state, retiresAt }: Authority, now: Date): boolean {
  return state === AuthorityState.RETIRING && !(Date.parse(retiresAt) > now.getTime());
}

/** Whether certificates of it count at this moment. */
export function isAccepted(authority: Authority, now: Date): boolean {
  if (authority.state === AuthorityState.ACTIVE) return true;
  return authority.state === AuthorityState.RETIRING && !isDue(authority, now);
}

/** Active first, then what is retiring, then what has been, the newest of them first. */
export function inOrder(oldestFirst: readonly Authority[]): readonly Authority[] {
  return oldestFirst.toReversed().toSorted((one, other) => one.state - other.state);
}

/** Devices that lose access when the old authority ends, unless they renew before. */
export function notMoved(devices: readonly Device[], activeId: string): readonly Device[] {
  return devices.filter(
    ({ state, certificates }) =>
      state === DeviceState.ACTIVE && certificates.at(-1)?.authorityId !== activeId,
  );
}
