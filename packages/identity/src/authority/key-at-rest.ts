import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { PalyraError, type Places } from '@palyra/kernel';
import {
  addPrivateFile,
  makePrivateDirectory,
  readPrivateFile,
  removePrivateFile,
  replacePrivateFile,
} from '@palyra/private-files';
import { guarded } from '../file-fault.ts';

/** A sealed P-256 key is some 400 bytes, a certificate with 32 names below 12,000. */
const MAX_FILE_BYTES = 32_768;
const PASSPHRASE_BYTES = 32;
const PASSPHRASE = /^[0-9a-f]{64}\n$/;
const SEALED_KEY =
  /-----BEGIN ENCRYPTED PRIVATE KEY-----\n[A-Za-z0-9+/=\n]+-----END ENCRYPTED PRIVATE KEY-----\n/;

/** The keys of the authorities, and of the certificates that the gateway shows, as files. */
export interface Keyring {
  /** Contract: `undefined` when there is none; AUTHORITY_UNUSABLE when it cannot be unsealed. */
  read(name: string): StoredKey | undefined;
  /** Contract: durable afterwards; leaves a file that is there as it is. */
  add(name: string, key: KeyObject): void;
  /** Contract: key and certificate change together. */
  replace(name: string, stored: { readonly key: KeyObject; readonly certificatePem: string }): void;
  remove(name: string): void;
}

export interface StoredKey {
  readonly key: KeyObject;
  /** Empty for the key of an authority: its certificate is in the store. */
  readonly certificatePem: string;
}

export type KeyPlaces = Pick<Places, 'stateDir' | 'keysDir'>;

/**
 * `existing` for a gateway that has an authority: its keys must not quietly get another passphrase.
 */
export function openKeyring(places: KeyPlaces, mode: 'existing' | 'make'): Keyring {
  makeDirectories(places);
  const passphrase = readPassphrase(places) ?? makePassphrase(places, mode);
  const fileOf = (name: string) => `${places.keysDir}/${name}`;
  return {
    read: (name) => {
      const text = readText(fileOf(name));
      return text === undefined ? undefined : unseal(text, passphrase);
    },
    add: (name, key) => {
      addText(fileOf(name), seal(key, passphrase));
    },
    replace: (name, { key, certificatePem }) => {
      const path = fileOf(name);
      guarded(path, () => replacePrivateFile(path, certificatePem + seal(key, passphrase)));
    },
    remove: (name) => {
      const path = fileOf(name);
      guarded(path, () => removePrivateFile(path));
    },
  };
}

function makeDirectories({ stateDir, keysDir }: KeyPlaces): void {
  for (const path of [stateDir, keysDir]) guarded(path, () => makePrivateDirectory(path));
}

function readPassphrase(places: KeyPlaces): string | undefined {
  const text = readText(passphraseFile(places));
  if (text === undefined || PASSPHRASE.test(text)) return text?.trim();
  throw new PalyraError('AUTHORITY_UNUSABLE', 'the passphrase of the keys is malformed');
}

function makePassphrase(places: KeyPlaces, mode: 'existing' | 'make'): string {
  if (mode === 'make') {
    addText(passphraseFile(places), `${randomBytes(PASSPHRASE_BYTES).toString('hex')}\n`);
  }
  // Another daemon that starts at the same time may have come first: theirs is the one that counts.
  const passphrase = readPassphrase(places);
  if (passphrase !== undefined) return passphrase;
  throw new PalyraError('AUTHORITY_UNUSABLE', 'the passphrase of the keys is missing');
}

function passphraseFile({ keysDir }: KeyPlaces): string {
  return `${keysDir}/identity.passphrase`;
}

function readText(path: string): string | undefined {
  return guarded(path, () => readPrivateFile(path, MAX_FILE_BYTES));
}

function addText(path: string, text: string): void {
  guarded(path, () => addPrivateFile(path, text));
}

function seal(key: KeyObject, passphrase: string): string {
  return key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
}

function unseal(text: string, passphrase: string): StoredKey {
  const sealed = SEALED_KEY.exec(text)?.[0];
  if (sealed === undefined) throw malformed();
  return { key: openSealed(sealed, passphrase), certificatePem: text.replace(sealed, '') };
}

function openSealed(sealed: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key: sealed, format: 'pem', passphrase });
  } catch {
    // Whatever the parser says could quote the key.
    throw malformed();
  }
}

function malformed(): PalyraError {
  return new PalyraError('AUTHORITY_UNUSABLE', 'a key of the gateway cannot be unsealed');
}
