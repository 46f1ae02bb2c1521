import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityPort } from '@palyra/gateway';
import { AuthorityState, type IdentityService, Role } from '@palyra/protocol';
import { callerIn, deviceCallerIn } from '../auth/context.ts';

export function identityService(identity: IdentityPort): ServiceImpl<typeof IdentityService> {
  const { authorities, devices } = identity;
  return {
    getCaller(_request, { values }) {
      const { principal, kind, member, permissions, deviceId } = callerIn(values);
      return {
        principal,
        kind,
        name: member?.name ?? '',
        role: member?.role ?? Role.UNSPECIFIED,
        permissions: [...permissions],
        deviceId: deviceId ?? '',
      };
    },
    async renewCertificate({ certificateRequest }, { values }) {
      const issued = await devices.renew(
        new Uint8Array(certificateRequest),
        deviceCallerIn(values),
      );
      return { certificate: issued.certificate, authorities: [...issued.authorities] };
    },
    async getAuthorities() {
      const [known, notMoved] = await Promise.all([authorities.list(), authorities.notMoved()]);
      return { authorities: [...known], notMoved: [...notMoved] };
    },
    async rotateAuthority({ endRetiring }, { values }) {
      const caller = callerIn(values);
      const known = await (endRetiring
        ? authorities.endRetiring(caller)
        : authorities.rotate(caller));
      const inState = (wanted: AuthorityState) => known.find(({ state }) => state === wanted);
      const active = inState(AuthorityState.ACTIVE);
      const retiring = inState(AuthorityState.RETIRING);
      const notMoved = [...(await authorities.notMoved())];
      return {
        notMoved,
        ...(active === undefined ? {} : { active }),
        ...(retiring === undefined ? {} : { retiring }),
      };
    },
  };
}
