import { fromJson } from '@bufbuild/protobuf';
import {
  type Bytes,
  type CallId,
  JOURNAL_KINDS,
  PalyraError,
  type RunId,
  type SealedEntry,
} from '@palyra/kernel';
import type { ToolAttestation } from '@palyra/protocol';
import type { AttestorPort, JournalPort, PolicyPort, RunsPort, Toucher } from '../ports.ts';
import { MayTouch } from './may-touch.ts';
import { entriesOfRun } from './watch.ts';

export interface FoundAttestation {
  readonly attestation: ToolAttestation;
  /** The same as a DSSE envelope. */
  readonly envelope: Bytes;
  readonly entry: SealedEntry;
}

const PAGE = 256;
/** What may be written between the making of a call's id and its first entry, by all runs together. */
const MOST_BETWEEN = 65_536;

export interface AttestationParts {
  readonly journal: JournalPort;
  readonly runs: RunsPort;
  readonly attestor: AttestorPort;
  readonly policy: PolicyPort;
}

/** Contract: rejects with NOT_FOUND unless the store holds the attestation of this call. */
export async function attestationOf(
  callId: CallId,
  caller: Toucher,
  { journal, runs, attestor, policy }: AttestationParts,
): Promise<FoundAttestation> {
  const place = await firstOf(callId, journal);
  const run = place === undefined ? undefined : await runs.get(place.runId);
  if (place === undefined || run === undefined) throw unknownCall(callId);
  await new MayTouch(policy).check(run, 'work.see', caller);
  for await (const entry of entriesOfRun(place.runId, place.sequence - 1, journal)) {
    if (entry.kind !== 'tool.attested' || !isOf(entry, callId)) continue;
    const attestation = fromJson(JOURNAL_KINDS[entry.kind], { ...entry.payload });
    return { attestation, envelope: await attestor.envelope(attestation), entry };
  }
  throw unknownCall(callId);
}

/** Ids sort as they were made: the first entry about a call comes soon after its id. */
async function firstOf(
  callId: CallId,
  journal: JournalPort,
): Promise<{ readonly runId: RunId; readonly sequence: number } | undefined> {
  let after = await lastBefore(callId, journal);
  const end = after + MOST_BETWEEN;
  while (after < end) {
    const page = await journal.page({ after, limit: PAGE });
    const found = page.find((entry) => entry.kind.startsWith('tool.') && isOf(entry, callId));
    if (found?.runId !== undefined) return { runId: found.runId, sequence: found.sequence };
    const last = page.at(-1);
    if (last === undefined) return undefined;
    after = last.sequence;
  }
  return undefined;
}

async function lastBefore(callId: string, journal: JournalPort): Promise<number> {
  let [before, behind] = [0, journal.tip().sequence + 1];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    const entry = await journal.find(middle);
    // What was archived is older than all that is here.
    if (entry === undefined || entry.id < callId) before = middle;
    else behind = middle;
  }
  return before;
}

function isOf({ payload }: SealedEntry, callId: CallId): boolean {
  return payload['callId'] === callId;
}

function unknownCall(callId: CallId): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no attestation of a call \`${callId}\``, {
    help: 'a call has one when it has ended, in the store until `palyra journal archive` moves it out; `palyra journal tail` shows the ids of calls',
  });
}
