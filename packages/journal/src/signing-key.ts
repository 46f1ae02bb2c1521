import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { type Bytes, keyIdOf, PalyraError, type Places, type Signer } from '@palyra/kernel';
import {
  addPrivateFile,
  hasPrivateFile,
  makePrivateDirectory,
  openPrivateFile,
  renameDurably,
  systemCode,
} from '@palyra/private-files';
import { storeFault } from './store-fault.ts';

/** A PEM of an Ed25519 key is some 120 bytes. */
const MAX_KEY_BYTES = 1024;

/**
 * The key of this installation. It is made together with the store and never again: a store without
 * its key must not quietly get another one, nor a key without its store. Until the store is there,
 * the key has a name of its own (see `settleKey`): so a crash in between is told from a lost store.
 */
export async function openSigner(places: Places): Promise<Signer> {
  try {
    return readOrMake(places);
  } catch (error) {
    throw keyFault(error);
  }
}

/** Contract: `undefined` when there is no key. Reads it only to derive the public half. */
export function readSigner(places: Places): Signer | undefined {
  return readFrom(keyFile(places)) ?? readFrom(unsettledFile(places));
}

/** True when the key once signed a store that was complete. */
export function isSettled(places: Places): boolean {
  return hasPrivateFile(keyFile(places));
}

/** Contract: the caller holds the lock, and the store is durable. May be called again. */
export function settleKey(places: Places): void {
  if (!hasPrivateFile(unsettledFile(places))) return;
  if (isSettled(places)) rmSync(unsettledFile(places));
  else renameDurably(unsettledFile(places), keyFile(places));
}

export function missingKey(): PalyraError {
  return new PalyraError('JOURNAL_KEY_UNUSABLE', 'the signing key of the journal is missing');
}

function readOrMake(places: Places): Signer {
  makePrivateDirectory(places.stateDir);
  makePrivateDirectory(places.keysDir);
  const existing = readSigner(places);
  if (existing !== undefined) return existing;
  if (!hasPrivateFile(places.storeFile)) makeKey(places);
  // Another daemon that starts at the same time may have come first.
  const made = readSigner(places);
  if (made === undefined) throw missingKey();
  return made;
}

function readFrom(file: string): Signer | undefined {
  const handle = openPrivateFile(file);
  if (handle === undefined) return undefined;
  try {
    return toSigner(readKey(handle));
  } finally {
    closeSync(handle);
  }
}

function makeKey(places: Places): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  addPrivateFile(unsettledFile(places), pem);
}

function keyFile(places: Places): string {
  return `${places.keysDir}/signing.key`;
}

function unsettledFile(places: Places): string {
  return `${keyFile(places)}.new`;
}

function readKey(handle: number): KeyObject {
  const { size } = fstatSync(handle);
  if (size > MAX_KEY_BYTES) throw malformedKey();
  const pem = Buffer.alloc(size);
  const length = readSync(handle, pem, 0, size, 0);
  try {
    const key = createPrivateKey(pem.subarray(0, length));
    if (key.asymmetricKeyType !== 'ed25519') throw malformedKey();
    return key;
  } catch {
    // Whatever the parser says could quote the key.
    throw malformedKey();
  } finally {
    pem.fill(0);
  }
}

function malformedKey(): PalyraError {
  return new PalyraError('JOURNAL_KEY_UNUSABLE', 'the signing key of the journal is malformed');
}

function toSigner(privateKey: KeyObject): Signer {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw malformedKey();
  const publicKey = Uint8Array.fromBase64(x, { alphabet: 'base64url' });
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (bytes) => toBytes(sign(null, bytes, privateKey)),
  };
}

function toBytes(buffer: Buffer): Bytes {
  return new Uint8Array(buffer);
}

function keyFault(error: unknown): PalyraError {
  if (systemCode(error) !== 'EACCES') return storeFault(error);
  return new PalyraError('JOURNAL_KEY_UNUSABLE', 'the signing key cannot be read', {
    cause: error,
  });
}
