import { type Bytes, toHex } from '@palyra/kernel';
import type { Agreement, Response, Verifier } from '@palyra/pake';
import { create } from '@bufbuild/protobuf';
import { type ProvenDevice, ProvenDeviceSchema } from '@palyra/protocol';
import { plainAddress } from './attempt-limits.ts';
import type { BeginOrder } from './begin-request.ts';
import type { Stranger } from './parts.ts';
import { refused } from './refusals.ts';

/** One device between its first message and its second. */
export interface Exchange {
  readonly order: BeginOrder;
  readonly whence: Stranger;
  /** What the secret was that is being proven. */
  readonly of: PairingSource;
  readonly response: Response;
}

export type PairingSource =
  | { readonly kind: 'pairing'; readonly pairingId: string }
  | { readonly kind: 'local'; readonly generation: number };

/** Contract: PAIRING_REFUSED for a share that was made to give away the answer. */
export async function respondTo(
  order: BeginOrder,
  verifier: Verifier,
  { serverFingerprint }: Stranger,
): Promise<Response> {
  const { pairingContext, respond } = await import('@palyra/pake');
  const context = pairingContext({ ...order, serverFingerprint });
  const response = respond({ verifier, context, share: order.share });
  if (response === undefined) throw refused();
  return response;
}

/** Contract: `undefined` unless it is the device of the first message, and knows the secret. */
export function agreementOf(
  { whence, response }: Exchange,
  confirmation: Uint8Array,
  stranger: Stranger,
): Agreement | undefined {
  const isSamePlace =
    whence.address === stranger.address &&
    toHex(whence.serverFingerprint) === toHex(stranger.serverFingerprint);
  return isSamePlace ? response.accept(confirmation) : undefined;
}

/** What the person is shown. */
export function provenDevice({ order, whence }: Exchange, transcriptHash: Bytes): ProvenDevice {
  return create(ProvenDeviceSchema, {
    name: order.name,
    kind: order.kind,
    secret: order.secret,
    address: plainAddress(whence.address),
    keyFingerprint: order.request.keyFingerprint,
    transcriptHash: toHex(transcriptHash),
  });
}

/** As the journal names who is not known yet. */
export function actorOf({ address }: Stranger): string {
  return `stranger:${plainAddress(address)}`;
}
