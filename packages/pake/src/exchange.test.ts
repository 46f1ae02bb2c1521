import { DeviceKind, PairingSecret } from '@palyra/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProver, isShare, proverWith, respond, respondWith } from './exchange.ts';
import { randomScalar } from './group.ts';
import { type PairingFacts, pairingContext } from './pairing-context.ts';
import { deriveSecret, deriveVerifier } from './password.ts';
import { verifierOf } from './spake2plus.ts';

const facts: PairingFacts = {
  pairingId: '',
  secret: PairingSecret.PIN,
  name: 'laptop',
  kind: DeviceKind.CLI,
  certificateRequest: Uint8Array.of(1, 2, 3),
  serverFingerprint: new Uint8Array(32).fill(7),
};
const context = pairingContext(facts);
const secret = await deriveSecret('123456');
const verifier = verifierOf(secret);
const wrongSecret = await deriveSecret('123457');

describe('two sides that know the same password', () => {
  it('agree on a key and on what was said', async () => {
    const prover = await createProver({ password: '123456', context });
    const answer = respond({
      verifier: await deriveVerifier('123456'),
      context,
      share: prover.share,
    });
    const theirs = prover.finish(answer?.share ?? none, answer?.confirmation ?? none);
    const ours = answer?.accept(theirs?.confirmation ?? none);
    expect(ours?.sharedKey).toHaveLength(32);
    expect(ours?.sharedKey).toStrictEqual(theirs?.sharedKey);
    expect(ours?.transcriptHash).toStrictEqual(theirs?.transcriptHash);
  });

  it('never agree on the same key twice', () => {
    const keys = [run(context, context), run(context, context)].map(({ ours }) =>
      ours?.sharedKey.toHex(),
    );
    expect(new Set(keys).size).toBe(2);
  });

  it('do not show the main key as the hash of what was said', () => {
    const { ours } = run(context, context);
    expect(ours?.transcriptHash.toHex()).not.toBe(ours?.sharedKey.toHex());
    expect(ours?.transcriptHash).toHaveLength(32);
  });

  it('agree once: a confirmation that is repeated is refused', () => {
    const { answer, theirs } = run(context, context);
    expect(answer?.accept(theirs?.confirmation ?? none)).toBeUndefined();
  });
});

describe('a wrong password', () => {
  const prover = proverWith(wrongSecret, randomScalar(), context);
  const answer = respondWith(verifier, randomScalar(), { context, share: prover.share });

  it('gets the prover nothing', () => {
    expect(prover.finish(answer?.share ?? none, answer?.confirmation ?? none)).toBeUndefined();
  });

  it('gets the verifier nothing, whatever is confirmed', () => {
    expect(answer?.accept(answer.confirmation)).toBeUndefined();
  });
});

describe('a message that was changed on its way', () => {
  const bit = (length: number) => fc.integer({ min: 0, max: length * 8 - 1 });

  it('is refused when it is the first, wherever the bit', () => {
    fc.assert(
      fc.property(bit(65), (place) => {
        const prover = proverWith(secret, randomScalar(), context);
        const share = flipped(prover.share, place);
        const answer = respondWith(verifier, randomScalar(), { context, share });
        if (answer === undefined) return !isShare(share);
        return prover.finish(answer.share, answer.confirmation) === undefined;
      }),
      { numRuns: 60 },
    );
  });

  it('is refused when it is the share of the answer', () => {
    fc.assert(
      fc.property(bit(65), (place) => {
        const { prover, answer } = begun(context, context);
        if (answer === undefined) return false;
        return prover.finish(flipped(answer.share, place), answer.confirmation) === undefined;
      }),
      { numRuns: 40 },
    );
  });

  it('is refused when it is the confirmation of the answer', () => {
    fc.assert(
      fc.property(bit(32), (place) => {
        const { prover, answer } = begun(context, context);
        if (answer === undefined) return false;
        return prover.finish(answer.share, flipped(answer.confirmation, place)) === undefined;
      }),
      { numRuns: 40 },
    );
  });

  it('is refused when it is the last', () => {
    fc.assert(
      fc.property(bit(32), (place) => {
        const { prover, answer } = begun(context, context);
        if (answer === undefined) return false;
        const theirs = prover.finish(answer.share, answer.confirmation);
        if (theirs === undefined) return false;
        return answer.accept(flipped(theirs.confirmation, place)) === undefined;
      }),
      { numRuns: 40 },
    );
  });

  it.each([0, 31, 33, 64])('is refused when it has %i bytes', (length) => {
    const { prover, answer } = begun(context, context);
    expect(prover.finish(answer?.share ?? none, new Uint8Array(length))).toBeUndefined();
  });
});

describe('sides that saw different things', () => {
  const differences: readonly (readonly [string, Partial<PairingFacts>])[] = [
    ['another pairing', { pairingId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
    ['another kind of secret', { secret: PairingSecret.TOKEN }],
    ['another name', { name: 'laptop2' }],
    ['another kind of device', { kind: DeviceKind.NODE }],
    ['another certificate request', { certificateRequest: Uint8Array.of(1, 2, 4) }],
    ['another certificate of the server', { serverFingerprint: new Uint8Array(32).fill(8) }],
  ];

  it.each(differences)('do not agree: %s', (_what, difference) => {
    const { theirs } = run(context, pairingContext({ ...facts, ...difference }));
    expect(theirs).toBeUndefined();
  });

  it('cannot be confused by moving text from one field to the next', () => {
    const moved = pairingContext({ ...facts, pairingId: '1', name: 'aptop' });
    expect(moved).not.toStrictEqual(pairingContext({ ...facts, pairingId: '', name: '1aptop' }));
  });
});

const none = new Uint8Array(0);

/** Until both have said what they say first. */
function begun(proverContext: Uint8Array, verifierContext: Uint8Array) {
  const prover = proverWith(secret, randomScalar(), proverContext);
  const answer = respondWith(verifier, randomScalar(), {
    context: verifierContext,
    share: prover.share,
  });
  return { prover, answer };
}

function run(proverContext: Uint8Array, verifierContext: Uint8Array) {
  const { prover, answer } = begun(proverContext, verifierContext);
  const theirs = prover.finish(answer?.share ?? none, answer?.confirmation ?? none);
  const ours = answer?.accept(theirs?.confirmation ?? none);
  return { prover, answer, theirs, ours };
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  const place = Math.floor(bit / 8);
  copy[place] = (copy[place] ?? 0) ^ (1 << (bit % 8));
  return copy;
}
