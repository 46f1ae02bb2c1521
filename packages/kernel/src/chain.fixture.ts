import { generateKeyPairSync, sign } from 'node:crypto';
import { createIds, type RunId, type SessionId } from './ids.ts';
import {
  type EntryDraft,
  type EntryPlace,
  GENESIS_HASH,
  placeEntry,
  prepareEntry,
} from './journal-entry.ts';
import { type Bytes, sha256Hex } from './sha256.ts';
import { keyIdOf, type Signer } from './signature.ts';

export const ids = createIds({ now: () => new Date(0), sleep: () => Promise.resolve() });
export const time = '2026-01-02T03:04:05.678Z';

export interface Belongs {
  readonly runId?: RunId;
  readonly sessionId?: SessionId;
}

/** The canonical bytes of entries that follow from one another; `belongs` says whose each is. */
export function chainOf(length: number, belongs: (index: number) => Belongs): Bytes[] {
  let previousHash = GENESIS_HASH;
  return Array.from({ length }, (_, index) => {
    const canonical = entryBytes({
      id: ids.next<'entry'>(),
      sequence: index + 1,
      time,
      previousHash,
      kind: 'model.message',
      actor: 'principal:local',
      payload: { text: `entry ${index + 1}` },
      ...belongs(index),
    });
    previousHash = sha256Hex(canonical);
    return canonical;
  });
}

export function entryBytes(entry: EntryDraft & EntryPlace): Bytes {
  return new TextEncoder().encode(placeEntry(prepareEntry(entry), entry));
}

/** With a key that nobody has seen before. */
export function makeSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const raw = Uint8Array.fromBase64(x, { alphabet: 'base64url' });
  return {
    keyId: keyIdOf(raw),
    publicKey: raw,
    sign: (bytes) => Uint8Array.from(sign(null, bytes, privateKey)),
  };
}
