import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';

export type Bytes = Uint8Array<ArrayBuffer>;
/** Handed in where speed matters: the daemon passes the platform's own, browsers the portable one. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export function sha256(bytes: Uint8Array): Uint8Array {
  return portableSha256(bytes);
}

export function sha256Hex(bytes: Uint8Array): string {
  return toHex(portableSha256(bytes));
}

export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Contract: `undefined` unless the text is lower-case hex of whole bytes. */
export function fromHex(text: string): Bytes | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Uint8Array.fromHex(text);
}
