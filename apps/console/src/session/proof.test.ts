import { consoleProofText, readConsoleProof, systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { ALGORITHM, base64url, makeKey } from './key.ts';
import { aheadMsIn, proofFor } from './proof.ts';

const CALL = { method: 'POST', path: '/palyra.v1.RunService/ListRuns?a=1', host: 'localhost:7142' };

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

describe('the key of a page', () => {
  it('can be used and not be read', async () => {
    const { privateKey, publicKey } = await makeKey();
    expect(privateKey).toMatchObject({ extractable: false, usages: ['sign'] });
    for (const format of ['jwk', 'pkcs8'] as const) {
      await expect(crypto.subtle.exportKey(format, privateKey)).rejects.toThrow();
    }
    expect(bytesOf(publicKey)).toHaveLength(65);
    expect(publicKey).toMatch(/^B[\w-]{86}$/);
  });
});

describe('the proof of a page', () => {
  it('is what the gateway verifies: the words of the kernel, signed by its key', async () => {
    const key = await makeKey();
    const proof = readConsoleProof(await proofFor(key, CALL));
    if (proof === undefined) throw new TypeError('it wrote no proof');
    const { signature, ...rest } = proof;
    const text = new TextEncoder().encode(consoleProofText({ ...CALL, ...rest }));
    const point = bytesOf(key.publicKey);
    const verifier = await crypto.subtle.importKey('raw', point, ALGORITHM, false, ['verify']);
    const isOurs = await crypto.subtle.verify(ALGORITHM, verifier, bytesOf(signature), text);
    expect(isOurs).toBe(true);
  });

  it('is another one for the same call', async () => {
    const key = await makeKey();
    const proofs = await Promise.all(Array.from({ length: 100 }, () => proofFor(key, CALL)));
    const nonces = proofs.map((proof) => readConsoleProof(proof)?.nonce);
    expect(new Set(nonces).size).toBe(100);
  });

  it('is of the time at the gateway', async () => {
    const key = { ...(await makeKey()), aheadMs: -3_600_000 };
    const before = systemClock().now().getTime();
    const { timeMs = 0 } = readConsoleProof(await proofFor(key, CALL)) ?? {};
    const after = systemClock().now().getTime();
    expect(timeMs + 3_600_000).toBeGreaterThanOrEqual(before);
    expect(timeMs + 3_600_000).toBeLessThanOrEqual(after);
  });
});

describe('the time at the gateway', () => {
  it('is read from what it answers, or not at all', () => {
    const said = (date: string) => new Response('', { headers: { date } });
    const inAnHour = new Date(systemClock().now().getTime() + 3_600_000).toUTCString();
    expect(aheadMsIn(said(inAnHour)) ?? 0).toBeGreaterThan(3_590_000);
    expect(aheadMsIn(said('soon'))).toBeUndefined();
    expect(aheadMsIn(new Response(''))).toBeUndefined();
  });
});

it('base64url has neither padding nor characters of its own', () => {
  expect(base64url(Uint8Array.of(251, 255, 254, 0))).toBe('-__-AA');
});
