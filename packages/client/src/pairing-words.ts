import type { EnrolmentSecret } from './enrol.ts';

/** A link as a person has copied it. */
export interface ReadLink {
  readonly addresses: readonly string[];
  readonly secret: EnrolmentSecret;
}

export function looksLikeLink(text: string): boolean {
  return text.startsWith('palyra-pair:');
}

/** Contract: `undefined` unless it is a whole link. */
export async function readLink(text: string): Promise<ReadLink | undefined> {
  const { parsePairingLink } = await import('@palyra/pake');
  const link = parsePairingLink(text);
  if (link === undefined) return undefined;
  const { addresses, pairingId, token, authorityFingerprint } = link;
  return { addresses, secret: { kind: 'link', pairingId, token, authorityFingerprint } };
}

/** Contract: `undefined` unless it is six digits, as people write them. */
export async function readPin(text: string, pairingId = ''): Promise<EnrolmentSecret | undefined> {
  const { parsePin } = await import('@palyra/pake');
  const pin = parsePin(text);
  return pin === undefined ? undefined : { kind: 'pin', pin, pairingId };
}
