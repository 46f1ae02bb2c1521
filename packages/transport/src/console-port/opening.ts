import {
  type Bytes,
  type JsonObject,
  PalyraError,
  duplicateKey,
  isJsonObject,
} from '@palyra/kernel';
import { sessionKey } from '../auth/session-key.ts';

/** What a page sends to open a session. */
export interface Opening {
  /** The secret of a link. */
  readonly link: string;
  /** An uncompressed point on P-256. */
  readonly publicKey: Bytes;
}

/** Contract: exactly these two words; a key that is none is refused before the link is used up. */
export function readOpening(text: string): Opening {
  const { link, publicKey, ...rest } = jsonObjectIn(text);
  const isExact = typeof link === 'string' && typeof publicKey === 'string';
  if (!isExact || Object.keys(rest).length > 0) throw badOpening();
  const point = new Uint8Array(Buffer.from(publicKey, 'base64url'));
  const isCanonical = Buffer.from(point).toString('base64url') === publicKey;
  if (!isCanonical || sessionKey(point) === undefined) throw badOpening();
  return { link, publicKey: point };
}

function jsonObjectIn(text: string): JsonObject {
  const value = parsed(text);
  if (!isJsonObject(value) || duplicateKey(text) !== undefined) throw badOpening();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badOpening();
  }
}

function badOpening(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'a session is opened with a link and a key on P-256');
}
