import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, ids, makeSigner, time } from './chain.fixture.ts';
import { PalyraError } from './errors.ts';
import { verifyExport, type VerifyReport } from './export-verifier.ts';
import { ExportWriter } from './export-writer.ts';
import { signHead } from './journal-chain.ts';
import { GENESIS_HASH } from './journal-entry.ts';
import { type Bytes, sha256, sha256Hex } from './sha256.ts';

const runs = [ids.next<'run'>(), ids.next<'run'>()] as const;
const signer = makeSigner();

const entries = chainOf(20, (index) => ({ runId: runs[index % 2 === 0 ? 0 : 1] }));
const lastHash = sha256Hex(entries.at(-1) ?? new Uint8Array());
const head = signHead({ sequence: 20, hash: lastHash }, time, signer);

function sequenceOf(line: Bytes): number {
  return Number(/"sequence":"(\d+)"/.exec(new TextDecoder().decode(line))?.[1]);
}

function write(lines: readonly Bytes[], writer: ExportWriter): Bytes[] {
  for (const line of lines) writer.add(sha256(line), sequenceOf(line));
  return [writer.header, ...lines, writer.trailer(head)];
}

const whole = write(
  entries,
  new ExportWriter({ exportedAt: time, previousHash: GENESIS_HASH, firstSequence: 1 }, signer),
);
const ofRun = write(
  entries.filter((_, index) => index % 2 === 0),
  new ExportWriter({ exportedAt: time, runId: runs[0] }, signer),
);

const NOTHING = new Uint8Array();
const segment = writeSegment();

function writeSegment(): Bytes[] {
  const previousHash = sha256Hex(entries[3] ?? NOTHING);
  const writer = new ExportWriter({ exportedAt: time, previousHash, firstSequence: 5 }, signer);
  const lines = entries.slice(4, 12);
  for (const line of lines) writer.add(sha256(line));
  return [writer.header, ...lines, writer.trailer(undefined)];
}

function reworded(line: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(line).replace('"entry ', '"Entry '));
}

function withHeader(lines: readonly Bytes[], from: string | RegExp, to: string): Uint8Array[] {
  const edited = new TextDecoder().decode(lines[0]).replace(from, to);
  return [new TextEncoder().encode(edited), ...lines.slice(1)];
}

async function* stream(lines: readonly Uint8Array[]) {
  yield* lines;
}

function verify(lines: readonly Uint8Array[], expectedKeyId = signer.keyId): Promise<VerifyReport> {
  return verifyExport(stream(lines), { sha256, expectedKeyId });
}

async function verdict(lines: readonly Uint8Array[]): Promise<VerifyReport | 'malformed'> {
  try {
    return await verify(lines);
  } catch (error) {
    if (error instanceof PalyraError && error.code === 'EXPORT_MALFORMED') return 'malformed';
    throw error;
  }
}

const isCaught = (result: VerifyReport | 'malformed') =>
  result === 'malformed' || result.verdict === 'broken';

type Edit = (lines: readonly Uint8Array[]) => readonly Uint8Array[];

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 })).map(
    ([line, at, mask]): Edit =>
      (lines) =>
        lines.with(line % lines.length, flip(lines[line % lines.length], at, mask)),
  ),
  fc.nat().map(
    (at): Edit =>
      (lines) =>
        lines.toSpliced(at % lines.length, 1),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([from, to]): Edit =>
      (lines) =>
        move(lines, from, to),
  ),
  fc.nat().map(
    (at): Edit =>
      (lines) =>
        lines.slice(0, at % lines.length),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([from, to]): Edit =>
      (lines) =>
        lines.toSpliced(to % (lines.length + 1), 0, lines[from % lines.length] ?? new Uint8Array()),
  ),
  fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 40 })).map(
    ([to, noise]): Edit =>
      (lines) =>
        lines.toSpliced(to % (lines.length + 1), 0, noise),
  ),
  fc.tuple(fc.nat(), fc.nat(), fc.nat()).map(
    ([line, from, to]): Edit =>
      (lines) =>
        lines.with(line % lines.length, cut(lines[line % lines.length], from, to)),
  ),
);

function flip(line: Uint8Array = new Uint8Array(), at: number, mask: number): Uint8Array {
  return line.with(at % line.length, (line[at % line.length] ?? 0) ^ mask);
}

function cut(line: Uint8Array = new Uint8Array(), from: number, to: number): Uint8Array {
  const start = from % line.length;
  const end = start + 1 + (to % (line.length - start));
  return Uint8Array.from([...line.subarray(0, start), ...line.subarray(end)]);
}

function move(lines: readonly Uint8Array[], from: number, to: number): readonly Uint8Array[] {
  const line = lines[from % lines.length] ?? new Uint8Array();
  const rest = lines.toSpliced(from % lines.length, 1);
  return rest.toSpliced(to % (rest.length + 1), 0, line);
}

const isSame = (a: readonly Uint8Array[], b: readonly Uint8Array[]) =>
  a.length === b.length &&
  a.every((line, at) => Buffer.compare(line, b[at] ?? new Uint8Array()) === 0);

describe('verifying an export', () => {
  it('finds a whole journal intact and names its ends and its key', async () => {
    expect(await verify(whole)).toEqual({
      verdict: 'intact',
      entries: 20,
      firstSequence: 1,
      lastSequence: 20,
      previousHash: GENESIS_HASH,
      headHash: lastHash,
      keyId: signer.keyId,
    });
  });

  it('finds the entries of one run intact', async () => {
    expect(await verify(ofRun)).toMatchObject({ verdict: 'intact', entries: 10, lastSequence: 19 });
  });

  it('finds an empty journal intact', async () => {
    const writer = new ExportWriter({ exportedAt: time, previousHash: GENESIS_HASH }, signer);
    const empty = [
      writer.header,
      writer.trailer(signHead({ sequence: 0, hash: GENESIS_HASH }, time, signer)),
    ];
    expect(await verify(empty)).toMatchObject({
      verdict: 'intact',
      entries: 0,
      headHash: GENESIS_HASH,
    });
  });

  it('catches thousands of random edits of a whole journal', async () => {
    await fc.assert(
      fc.asyncProperty(edit, async (change) => {
        const edited = change(whole);
        fc.pre(!isSame(edited, whole));
        expect(isCaught(await verdict(edited))).toBe(true);
      }),
      { numRuns: 2500 },
    );
  }, 60_000);

  it('catches thousands of random edits of a run', async () => {
    await fc.assert(
      fc.asyncProperty(edit, async (change) => {
        const edited = change(ofRun);
        fc.pre(!isSame(edited, ofRun));
        expect(isCaught(await verdict(edited))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  }, 60_000);

  describe.each([
    ['a whole journal', whole, (line: number) => line],
    ['a segment of the archive', segment, (line: number) => line + 4],
    ['a run', ofRun, (line: number) => 2 * line - 1],
  ])('of %s', (_what, written, sequenceAt) => {
    const lines: readonly Uint8Array[] = written;
    const last = lines.length - 2;
    const line = fc.integer({ min: 1, max: last });
    const swapped = (at: number) => move(lines, at, at + 1);

    it('names exactly the entry in which any one byte was changed, and counts those before it', async () => {
      await fc.assert(
        fc.asyncProperty(
          line,
          fc.nat(),
          fc.integer({ min: 1, max: 255 }),
          async (at, byte, mask) => {
            const report = await verify(lines.with(at, flip(lines[at], byte, mask)));
            expect(report).toMatchObject({
              verdict: 'broken',
              fault: { sequence: sequenceAt(at) },
              entries: at - 1,
            });
          },
        ),
        { numRuns: 600 },
      );
    }, 60_000);

    it('names the first entry that is missing, moved, doubled or cut off', async () => {
      const edits = fc.constantFrom('remove', 'swap', 'double', 'insert', 'cut', 'truncate');
      await fc.assert(
        fc.asyncProperty(edits, line, line, async (kind, at, from) => {
          fc.pre(kind !== 'swap' || at < last);
          const entry = lines[at] ?? NOTHING;
          const edited = {
            remove: lines.toSpliced(at, 1),
            swap: swapped(at),
            double: lines.toSpliced(at, 0, entry),
            insert: lines.toSpliced(at, 0, lines[from] ?? NOTHING),
            cut: lines.toSpliced(at, last + 1 - at),
            truncate: lines.slice(0, at),
          }[kind];
          // An entry that is put in before itself is one that stands twice, from the next line on.
          const isTwice = kind === 'double' || (kind === 'insert' && at === from);
          const report = await verify(edited);
          expect(report).toMatchObject({ verdict: 'broken' });
          const named = report.verdict === 'broken' ? report.fault.sequence : 0;
          // What would come after the end of a run, nobody knows.
          if (kind === 'truncate' || (isTwice && at === last)) {
            expect(named).toBeGreaterThan(at === 1 ? 0 : sequenceAt(at - 1));
          } else expect(named).toBe(sequenceAt(isTwice ? at + 1 : at));
        }),
        { numRuns: 600 },
      );
    }, 60_000);

    it('names the first of several entries that were changed, and counts those before it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(line, { minLength: 1 }), async (places) => {
          const edited = lines.map((bytes, at) => (places.includes(at) ? reworded(bytes) : bytes));
          expect(await verify(edited)).toMatchObject({
            verdict: 'broken',
            fault: { sequence: sequenceAt(Math.min(...places)) },
            entries: Math.min(...places) - 1,
          });
        }),
        { numRuns: 300 },
      );
    }, 60_000);
  });

  it.each([
    ['the time of a whole journal', whole, 20, '"exportedAt":"2', '"exportedAt":"3'],
    ['the start of a whole journal', whole, 20, '"firstSequence":"1"', '"firstSequence":"71"'],
    ['the start of a segment', segment, 8, '"firstSequence":"5"', '"firstSequence":"4"'],
    ['the hash before a segment', segment, 8, /(?<="previousHash":")\w+/, GENESIS_HASH],
    ['the hash before a whole journal', whole, 20, /(?<="previousHash":")00/, 'ee'],
    ['the time of a run', ofRun, 10, '"exportedAt":"2', '"exportedAt":"3'],
    ['the id of a run', ofRun, 10, runs[0], runs[1]],
  ])('names the header, and no entry, where it tells %s wrongly', async (...row) => {
    const [, written, entriesInIt, from, to] = row;
    expect(await verify(withHeader(written, from, to))).toEqual({
      verdict: 'broken',
      fault: { sequence: 0, reason: 'the header is not the one that was signed' },
      entries: entriesInIt,
    });
  });

  it('names no entry where the header names another key', async () => {
    const { publicKey } = makeSigner();
    const own = signer.publicKey.toBase64();
    const edited = withHeader(whole, own, publicKey.toBase64());
    expect(await verifyExport(stream(edited), { sha256 })).toMatchObject({
      verdict: 'broken',
      fault: { sequence: 0, reason: expect.stringContaining('the key that the header names') },
    });
  });

  it('does not take a file for ours that another key has signed throughout', async () => {
    const other = makeSigner();
    const writer = new ExportWriter({ exportedAt: time, runId: runs[0] }, other);
    const forged = [
      writer.header,
      writer.trailer(signHead({ sequence: 0, hash: GENESIS_HASH }, time, other)),
    ];
    expect(await verify(forged, other.keyId)).toMatchObject({
      verdict: 'intact',
      keyId: other.keyId,
    });
    expect(await verify(forged)).toMatchObject({ verdict: 'broken' });
  });

  it('does not accept the head of a shorter journal', async () => {
    const writer = new ExportWriter({ exportedAt: time, previousHash: GENESIS_HASH }, signer);
    const lines = write(entries.slice(0, 10), writer);
    expect(await verify(lines)).toMatchObject({ verdict: 'broken', fault: { sequence: 11 } });
  });

  it.each([
    ['nothing', []],
    ['an empty line', ['']],
    ['prose', ['hello', 'world']],
    ['a header of another format', ['{"format":"palyra.export.v2"}']],
  ])('calls %s malformed', async (_what, lines) => {
    const encoder = new TextEncoder();
    expect(await verdict(lines.map((line) => encoder.encode(line)))).toBe('malformed');
  });
});
