import { createHash } from 'node:crypto';
import { isSecret, makeSecret } from './secret.ts';

const PREFIX = 'pal_';
const CHECKSUM_LENGTH = 6;
const LENGTH = 53;

/** `pal_`, 256 random bits and a checksum, so that scanners can tell a token from chance. */
export function makeTokenText(): string {
  const body = PREFIX + makeSecret();
  return body + checksumOf(body);
}

/** Whether a token can be so; refuses a typing mistake without looking anything up. */
export function isTokenText(text: string): boolean {
  if (text.length !== LENGTH || !text.startsWith(PREFIX)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return isSecret(body.slice(PREFIX.length)) && text === body + checksumOf(body);
}

/** The first 36 bits, as six characters. */
function checksumOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);
}
