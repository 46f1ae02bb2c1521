import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityPort, StartedPairing } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import {
  type Authority,
  AuthorityState,
  PairingState,
  type PairingService,
  WatchPairingResponseSchema,
} from '@palyra/protocol';
import { callerIn, strangerIn } from '../auth/context.ts';
import type { Whereabouts } from '../whereabouts.ts';
import { demandConfirmed } from './confirmed.ts';
import { requireId } from './wire-words.ts';

export function pairingService(
  identity: IdentityPort,
  whereabouts: Whereabouts,
): ServiceImpl<typeof PairingService> {
  const { pairing } = identity;
  return {
    async startPairing({ member }, { values }) {
      const started = await pairing.start(member, callerIn(values));
      const link = await linkOf(started, await identity.authorities.list(), whereabouts);
      return { pairing: started.pairing, pin: started.pin, link };
    },
    listPairings: async () => ({ pairings: [...(await pairing.list())] }),
    async *watchPairing({ pairingId }, { signal }) {
      const changes = pairing.watch(requireId(pairingId, 'pairing_id'), signal);
      for await (const now of changes) yield create(WatchPairingResponseSchema, { pairing: now });
    },
    async answerPairing(request, { values }) {
      const { pairingId, keyFingerprint, answer } = request;
      requireAnswer(answer);
      const given = { pairingId: requireId(pairingId, 'pairing_id'), keyFingerprint, answer };
      // A no lets nobody in.
      if (answer !== PairingState.REJECTED) {
        await demandConfirmed(identity.passkeys, { case: 'pairing', value: request }, values);
      }
      return { pairing: await pairing.answer(given, callerIn(values)) };
    },
    beginPairing: (request, { values }) => pairing.begin(request, strangerIn(values)),
    finishPairing: (request, { values, signal }) =>
      pairing.finish(request, strangerIn(values), signal),
  };
}

function requireAnswer(answer: PairingState): void {
  if (answer === PairingState.APPROVED || answer === PairingState.REJECTED) return;
  throw new PalyraError('INVALID_INPUT', '`answer` is neither APPROVED nor REJECTED');
}

/** Contract: empty when no link can carry it; the PIN still does. */
async function linkOf(
  { pairing, token }: StartedPairing,
  authorities: readonly Authority[],
  whereabouts: Whereabouts,
): Promise<string> {
  const active = authorities.find(({ state }) => state === AuthorityState.ACTIVE);
  // Loaded here because the arithmetic that comes along is nothing a start should wait for.
  const { MAX_LINK_ADDRESSES, encodePairingLink } = await import('@palyra/pake');
  const link = encodePairingLink({
    addresses: whereabouts.dialable.slice(0, MAX_LINK_ADDRESSES).map((one) => one.toLowerCase()),
    authorityFingerprint: active?.fingerprint ?? '',
    pairingId: pairing.pairingId,
    token,
  });
  return link ?? '';
}
