import { PalyraError } from '@palyra/kernel';

/**
 * What proves that a call is of this page. It can be used and not read, by pages of this very port
 * alone; that is why it may be kept where a secret must not be.
 */
export interface SessionKey {
  readonly privateKey: CryptoKey;
  /** As the gateway is told it: the point, in base64url. */
  readonly publicKey: string;
  /** How much later it is at the gateway than here. */
  readonly aheadMs: number;
}

export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export async function makeKey(): Promise<SessionKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const point = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { privateKey: pair.privateKey, publicKey: base64url(point), aheadMs: 0 };
}

/** In the place of the one before. */
export async function keepKey(key: SessionKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(key, PLACE));
}

/** Asked for every call: another tab may have opened a session, or ended it. */
export async function findKey(): Promise<SessionKey | undefined> {
  const found: unknown = await inStore('readonly', (store) => store.get(PLACE));
  return isKey(found) ? found : undefined;
}

export async function forgetKey(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(PLACE));
}

export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function isKey(found: unknown): found is SessionKey {
  if (typeof found !== 'object' || found === null) return false;
  return (
    'privateKey' in found &&
    found.privateKey instanceof CryptoKey &&
    'publicKey' in found &&
    typeof found.publicKey === 'string' &&
    'aheadMs' in found &&
    typeof found.aheadMs === 'number'
  );
}

const DATABASE = 'palyra';
const STORE = 'session';
const PLACE = 'key';

/** Contract: what was changed is there for other tabs once this resolves. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve);
      transaction.addEventListener('abort', () => reject(noPlace(transaction.error)));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  return new Promise((resolve, reject) => {
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(noPlace(opening.error)));
  });
}

function noPlace(cause: unknown): PalyraError {
  return new PalyraError('UNEXPECTED', 'this browser does not keep keys', { cause });
}
