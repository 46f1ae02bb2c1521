import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import type { Complaint } from './problems.ts';

const GUIDE = 'docs/guides/policy.md shows how rules are written';

/** What Cedar complains about, in our manner of speaking. */
export function complaintOf({ message, help, sourceLocations }: DetailedError): Complaint {
  const expected = sourceLocations?.[0]?.label;
  return { reason: tidy(message), help: tidy(help ?? expected ?? GUIDE) };
}

/** Where, in bytes of UTF-8 from the beginning of what Cedar was given; 0 when it does not say. */
export function byteOffsetOf({ sourceLocations }: DetailedError): number {
  return sourceLocations?.[0]?.start ?? 0;
}

/** The same place in UTF-16 units, in which our texts are measured. */
export function unitOffset(text: string, byteOffset: number): number {
  return Buffer.from(text).subarray(0, byteOffset).toString().length;
}

/** The id in it is one that we made up for the validator. */
function tidy(message: string): string {
  const plain = message.replace(/^for policy `[^`]*`[,:] /, '').replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}
