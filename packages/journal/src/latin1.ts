/** A character for each byte: those that are not ASCII become others, and every offset stays. */
export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
