import { describe, expect, it } from 'vitest';
import { type Issued, isIssuedProof, issuedProof } from './issued-proof.ts';

const key = new Uint8Array(32).fill(1);
const issued: Issued = {
  deviceId: 'd',
  certificate: Uint8Array.of(1),
  authorities: [Uint8Array.of(2), Uint8Array.of(3)],
};
const proof = issuedProof(key, issued);

describe('the proof of what was issued', () => {
  it('holds for exactly that', () => {
    expect(isIssuedProof(key, issued, proof)).toBe(true);
  });

  const others: readonly (readonly [string, Issued])[] = [
    ['another device', { ...issued, deviceId: 'e' }],
    ['another certificate', { ...issued, certificate: Uint8Array.of(9) }],
    ['one authority more', { ...issued, authorities: [...issued.authorities, Uint8Array.of(4)] }],
    ['one authority less', { ...issued, authorities: [Uint8Array.of(2)] }],
    ['two authorities written as one', { ...issued, authorities: [Uint8Array.of(2, 3)] }],
  ];
  it.each(others)('does not hold for %s', (_what, other) => {
    expect(isIssuedProof(key, other, proof)).toBe(false);
  });

  it('does not hold under another key', () => {
    expect(isIssuedProof(new Uint8Array(32), issued, proof)).toBe(false);
  });

  it('does not hold when it is cut short', () => {
    expect(isIssuedProof(key, issued, proof.subarray(1))).toBe(false);
  });
});
