import {
  type SignedHead,
  type VerifyReport,
  isJsonObject,
  parseHead,
  sha256,
  verifyExport,
} from '@palyra/kernel';
import { inSlices } from './slices.ts';

export interface Proof {
  readonly report: VerifyReport;
  /** The signed head that the export leads to. INVARIANT: only of an export that is intact. */
  readonly head: SignedHead | undefined;
}

export interface VerifyOrder {
  /** The entry that must stand first: what is shown is what is proven. */
  readonly first?: Uint8Array | undefined;
  readonly onProgress: (entries: number) => void;
}

/**
 * Checks the lines of an export here, from their bytes: each hash, each link, the signatures.
 * Contract: as of `verifyExport`.
 */
export async function verifyLines(
  lines: AsyncIterable<Uint8Array>,
  { first, onProgress }: VerifyOrder,
): Promise<Proof> {
  const seen: { entry?: Uint8Array; last?: Uint8Array } = {};
  const report = await verifyExport(
    remember(
      inSlices(lines, (count) => onProgress(Math.max(0, count - 1))),
      seen,
    ),
    { sha256 },
  );
  if (report.verdict === 'broken') return { report, head: undefined };
  if (first !== undefined && !isSame(first, seen.entry)) {
    const reason = 'the gateway exports other bytes than it shows';
    const fault = { sequence: report.firstSequence, reason };
    return { report: { verdict: 'broken', fault, entries: 0 }, head: undefined };
  }
  return { report, head: headIn(seen.last) };
}

async function* remember(
  lines: AsyncIterable<Uint8Array>,
  seen: { entry?: Uint8Array; last?: Uint8Array },
): AsyncGenerator<Uint8Array, void, undefined> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (number === 2) seen.entry = line;
    seen.last = line;
    yield line;
  }
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return other?.length === one.length && one.every((byte, at) => byte === other[at]);
}

function headIn(trailer: Uint8Array | undefined): SignedHead | undefined {
  const fields: unknown = JSON.parse(new TextDecoder().decode(trailer));
  return isJsonObject(fields) ? parseHead(fields['head']) : undefined;
}
