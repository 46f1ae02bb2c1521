import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { createProver, pairingContext } from '@palyra/pake';
import {
  BeginPairingRequestSchema,
  BeginPairingResponseSchema,
  DeviceKind,
  FinishPairingRequestSchema,
  PairingSecret,
} from '@palyra/protocol';
import { certificateRequest } from './forged.ts';
import { framed } from './raw-stranger.ts';

/** A new device that knows the PIN, message by message as bytes of the wire. */
export interface RawProver {
  readonly certificateRequest: Uint8Array;
  readonly begin: Uint8Array;
  /** Contract: throws when the other side does not know the PIN, or saw another certificate. */
  finish(answer: Uint8Array): Uint8Array;
}

export async function rawProver(pin: string, serverFingerprint: Uint8Array): Promise<RawProver> {
  const claim = {
    pairingId: '',
    secret: PairingSecret.PIN,
    name: 'new device',
    kind: DeviceKind.CLI,
    certificateRequest: await certificateRequest(),
  };
  const context = pairingContext({ ...claim, serverFingerprint });
  const prover = await createProver({ password: pin, context });
  const request = create(BeginPairingRequestSchema, { ...claim, share: prover.share });
  return {
    certificateRequest: claim.certificateRequest,
    begin: framed(toBinary(BeginPairingRequestSchema, request)),
    finish: (answer) => {
      const { exchangeId, share, confirmation } = fromBinary(BeginPairingResponseSchema, answer);
      const agreement = prover.finish(share, confirmation);
      if (agreement === undefined) throw new Error('the other side does not know the PIN');
      return finishBytes(exchangeId, agreement.confirmation);
    },
  };
}

export function finishBytes(exchangeId: string, confirmation: Uint8Array): Uint8Array {
  const request = create(FinishPairingRequestSchema, { exchangeId, confirmation });
  return framed(toBinary(FinishPairingRequestSchema, request));
}
