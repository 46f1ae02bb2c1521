import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type Clock, type ConsoleCall, readConsoleProof } from '@palyra/kernel';
import { ConsoleSessionSchema } from '@palyra/protocol';
import { type ConsoleKey, FIXED_NOW, fixedClock, makeConsoleKey } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { SessionProofs, type SignedCall } from './session-proofs.ts';

const HERE = { method: 'POST', path: '/palyra.v1.RunService/ListRuns', host: 'localhost:7142' };
const NOW = FIXED_NOW.getTime();
const UNPROVEN = expect.objectContaining({ code: 'UNAUTHENTICATED' });

class MovableClock {
  ms = NOW;
  readonly clock: Clock = { ...fixedClock(), now: () => new Date(this.ms) };
}

const key = await makeConsoleKey();

function sessionOf({ publicKey }: ConsoleKey, sessionId = 's') {
  return create(ConsoleSessionSchema, {
    sessionId,
    publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
  });
}

/** What the page signed, and beside it what the request really is. */
async function signed(
  page: ConsoleKey,
  said: Partial<ConsoleCall> = {},
  real: Partial<ConsoleCall> = {},
): Promise<SignedCall> {
  const proof = readConsoleProof(await page.prove({ ...HERE, timeMs: NOW, ...said }));
  if (proof === undefined) throw new TypeError('the page wrote no proof');
  const { signature, ...rest } = proof;
  return { call: { ...HERE, ...rest, ...real }, signature };
}

function admitting() {
  const time = new MovableClock();
  const proofs = new SessionProofs(time.clock);
  const session = sessionOf(key);
  return { time, proofs, session, admit: (shown: SignedCall) => proofs.admit(shown, session) };
}

describe('a proof of a call', () => {
  it('counts once', async () => {
    const { admit } = admitting();
    const shown = await signed(key);
    admit(shown);
    expect(() => admit(shown)).toThrow(UNPROVEN);
    expect(() => admit(shown)).toThrow(/used before/);
    admit(await signed(key));
  });

  it('does not count by the key of another session, and does not use up its nonce there', async () => {
    const { admit, proofs } = admitting();
    const other = await makeConsoleKey();
    const shown = await signed(other);
    expect(() => admit(shown)).toThrow(UNPROVEN);
    admit(await signed(key, { nonce: shown.call.nonce }));
    proofs.admit(shown, sessionOf(other, 'other'));
  });

  it('counts for two tabs that hold the same key', async () => {
    const { admit } = admitting();
    const shown = await Promise.all([signed(key), signed(key), signed(key)]);
    expect(() => shown.forEach(admit)).not.toThrow();
  });

  it.each([
    { method: 'GET' },
    { method: 'post' },
    { path: '/palyra.v1.RunService/StartRun' },
    { path: `${HERE.path}?a=1` },
    { path: `${HERE.path}/` },
    { host: 'localhost:7143' },
    { host: 'localhost' },
    { timeMs: NOW + 1 },
    { nonce: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ])('does not count for another call: %j', async (real) => {
    const { admit } = admitting();
    const shown = await signed(key, {}, real);
    expect(() => admit(shown)).toThrow(UNPROVEN);
  });

  it('counts within a minute of our time, either way, and not a moment beyond', async () => {
    const { admit } = admitting();
    for (const offset of [-60_000, 60_000]) admit(await signed(key, { timeMs: NOW + offset }));
    for (const offset of [-60_001, 60_001, -NOW + 1e12, 9e12 - NOW]) {
      const shown = await signed(key, { timeMs: NOW + offset });
      expect(() => admit(shown)).toThrow(/too old/);
    }
  });

  it('that is of a time to come cannot be shown again when that time has come', async () => {
    const { admit, time } = admitting();
    const shown = await signed(key, { timeMs: NOW + 60_000 });
    admit(shown);
    time.ms += 120_000;
    expect(() => admit(shown)).toThrow(/used before/);
    time.ms += 1;
    expect(() => admit(shown)).toThrow(/too old/);
  });

  it('does not count with a signature in DER, of another length, or of nothing', async () => {
    const { admit } = admitting();
    const { call, signature } = await signed(key);
    const bytes = Buffer.from(signature, 'base64url');
    const spellings = [
      derOf(bytes),
      bytes.subarray(0, 63),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.concat([bytes, bytes]),
      Buffer.alloc(64),
      Buffer.alloc(0),
      createHash('sha512').update(bytes).digest(),
    ];
    for (const each of spellings) {
      expect(() => admit({ call, signature: each.toString('base64url') })).toThrow(UNPROVEN);
    }
    admit({ call, signature });
  });

  it('never counts for a session without a key, or with one that is none', async () => {
    const { proofs } = admitting();
    const shown = await signed(key);
    for (const length of [0, 64, 65, 91]) {
      const publicKey = new Uint8Array(length).fill(4);
      const session = create(ConsoleSessionSchema, { sessionId: 's', publicKey });
      expect(() => proofs.admit(shown, session)).toThrow(UNPROVEN);
    }
  });
});

/** The other way to write r and s. */
function derOf(signature: Buffer): Buffer {
  const integer = (bytes: Buffer) => {
    const positive = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(2, positive.length), positive]);
  };
  const both = [integer(signature.subarray(0, 32)), integer(signature.subarray(32))];
  const length = both.reduce((sum, { length: each }) => sum + each, 0);
  return Buffer.concat([Buffer.of(0x30, length), ...both]);
}
