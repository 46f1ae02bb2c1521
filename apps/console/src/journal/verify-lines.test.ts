import {
  type Bytes,
  ExportWriter,
  GENESIS_HASH,
  type Signer,
  createIds,
  keyIdOf,
  placeEntry,
  prepareEntry,
  sha256,
  sha256Hex,
  signHead,
  systemClock,
  toHex,
} from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { verifyLines } from './verify-lines.ts';

const TIME = '2026-01-01T00:00:00.000Z';

interface Chain {
  readonly entries: readonly Uint8Array[];
  readonly lastHash: string;
}

function chainOf(count: number): Chain {
  const ids = createIds(systemClock());
  const entries: Uint8Array[] = [];
  let previousHash: string = GENESIS_HASH;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const draft = { kind: 'run.ended', actor: 'gateway', payload: { note: 'as it was' } } as const;
    const place = { id: ids.next<'entry'>(), sequence, time: TIME, previousHash };
    const line = new TextEncoder().encode(placeEntry(prepareEntry(draft), place));
    previousHash = sha256Hex(line);
    entries.push(line);
  }
  return { entries, lastHash: previousHash };
}

function linesOf({ entries, lastHash }: Chain, signer: Signer): readonly Uint8Array[] {
  const start = { exportedAt: TIME, previousHash: GENESIS_HASH, firstSequence: 1 };
  const writer = new ExportWriter(start, signer);
  for (const line of entries) writer.add(sha256(line));
  const head = signHead({ sequence: entries.length, hash: lastHash }, TIME, signer);
  return [writer.header, ...entries, writer.trailer(head)];
}

/** A browser signs only when one waits for it, so what was not signed yet is written again. */
async function exported(count: number): Promise<readonly Uint8Array[]> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const signatures = new Map<string, Bytes>();
  const chain = chainOf(count);
  for (;;) {
    const unsigned: Bytes[] = [];
    const sign = (bytes: Uint8Array) => {
      const known = signatures.get(toHex(bytes));
      if (known === undefined) unsigned.push(new Uint8Array(bytes));
      return known ?? new Uint8Array(64);
    };
    const lines = linesOf(chain, { keyId: keyIdOf(publicKey), publicKey, sign });
    if (unsigned.length === 0) return lines;
    for (const bytes of unsigned) {
      const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, bytes);
      signatures.set(toHex(bytes), new Uint8Array(signature));
    }
  }
}

async function* stream(lines: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* lines;
}
const onProgress = () => undefined;

describe('an export that is checked in the page', () => {
  it('is intact, and tells the signed head that it leads to', async () => {
    const { report, head } = await verifyLines(stream(await exported(5)), { onProgress });
    expect(report).toMatchObject({ verdict: 'intact', entries: 5, lastSequence: 5 });
    expect(head).toMatchObject({ sequence: 5, time: TIME });
  });

  it('is broken at the entry of which one byte was changed', async () => {
    const lines = await exported(5);
    const bytes = lines[3];
    const at = new TextDecoder().decode(bytes).indexOf('as it was');
    bytes?.set([0x41], at);
    const { report, head } = await verifyLines(stream(lines), { onProgress });
    expect(report).toMatchObject({ verdict: 'broken', fault: { sequence: 3 }, entries: 2 });
    expect(head).toBeUndefined();
  });

  it('proves nothing about an entry that it does not begin with', async () => {
    const lines = await exported(3);
    const [, first, second] = lines;
    expect((await verifyLines(stream(lines), { first, onProgress })).report.verdict).toBe('intact');
    const { report } = await verifyLines(stream(lines), { first: second, onProgress });
    expect(report).toMatchObject({
      verdict: 'broken',
      fault: { sequence: 1, reason: 'the gateway exports other bytes than it shows' },
    });
  });

  it('tells how far it has come while it works', async () => {
    const told: number[] = [];
    const lines = await exported(4_000);
    await verifyLines(stream(lines), { onProgress: (entries) => told.push(entries) });
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });
});
