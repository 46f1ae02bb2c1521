import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** 32 bytes are 43 characters, the last of which carries four bits: only 16 spellings are real. */
const PATTERN = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const LENGTH = 43;

/** 256 bits, base64url. */
export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function isSecret(text: string): boolean {
  return text.length === LENGTH && PATTERN.test(text);
}

/** Under what a secret is stored. 256 random bits need no salt: nobody can try them all. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
