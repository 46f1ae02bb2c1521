import { type Bytes, PalyraError, type RunId, isJsonObject } from '@palyra/kernel';
import type { BlobsPort, JournalPort, PolicyPort, RunsPort, Toucher } from '../ports.ts';
import { imageTypeOf } from './context/images.ts';
import { MayTouch } from './may-touch.ts';
import { entriesOfRun } from './watch.ts';

export interface ArtifactWish {
  readonly runId: RunId;
  readonly sha256: string;
  readonly offset: number;
  readonly length: number;
}

export interface ArtifactPage {
  readonly data: Bytes;
  /** Of all of it. */
  readonly size: number;
  /** Of an image; empty for anything else. */
  readonly mediaType: string;
}

export interface ArtifactParts {
  readonly journal: JournalPort;
  readonly runs: RunsPort;
  readonly blobs: BlobsPort;
  readonly policy: PolicyPort;
}

/** Enough to tell what an image is. */
const BEGINNING = 16;

/**
 * What a run left, for whoever may see the run. The journal says what is its: a hash alone opens nothing,
 * since what others kept lies in the same place. Contract: rejects with NOT_FOUND for anything else.
 */
export async function artifactOf(
  { runId, sha256, offset, length }: ArtifactWish,
  caller: Toucher,
  { journal, runs, blobs, policy }: ArtifactParts,
): Promise<ArtifactPage> {
  const run = await runs.get(runId);
  if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\``);
  await new MayTouch(policy).check(run, 'work.see', caller);
  const size = await sizeIn(runId, sha256, journal);
  const beginning = size === undefined ? undefined : await blobs.get(sha256, 0, BEGINNING);
  const data = beginning === undefined ? undefined : await blobs.get(sha256, offset, length);
  if (size === undefined || beginning === undefined || data === undefined) throw gone(runId);
  return { data, size, mediaType: imageTypeOf(beginning) ?? '' };
}

async function sizeIn(
  runId: RunId,
  sha256: string,
  journal: JournalPort,
): Promise<number | undefined> {
  for await (const { kind, payload } of entriesOfRun(runId, 0, journal)) {
    if (kind === 'tool.finished' && payload['artifactSha256'] === sha256) {
      return sizeOf(payload['artifactBytes']);
    }
    if (kind !== 'run.started' && kind !== 'run.queued') continue;
    const { images } = payload;
    const sent = Array.isArray(images) ? images.filter(isJsonObject) : [];
    const image = sent.find((note) => note['sha256'] === sha256);
    if (image !== undefined) return sizeOf(image['size']);
  }
  return undefined;
}

/** 64 bits are a text in JSON. */
function sizeOf(value: unknown): number {
  const bytes = Number(value);
  return Number.isSafeInteger(bytes) ? bytes : 0;
}

function gone(runId: RunId): PalyraError {
  return new PalyraError('NOT_FOUND', `run \`${runId}\` left nothing by that hash`, {
    help: 'what was kept may have been removed since; the journal still has its hash',
  });
}
