import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityPort } from '@palyra/gateway';
import { AuthorityState, type IdentityService } from '@palyra/protocol';
import { callerFacts } from '../auth/caller-facts.ts';
import { callerIn, deviceCallerIn } from '../auth/context.ts';

export function identityService(identity: IdentityPort): ServiceImpl<typeof IdentityService> {
  const { authorities, devices } = identity;
  return {
    getCaller: (_request, { values }) => callerFacts(callerIn(values)),
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
