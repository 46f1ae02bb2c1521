import { hash } from 'node:crypto';

/** The platform's own SHA-256: several times faster than the portable one. */
export function hashBytes(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

export function hashHex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
