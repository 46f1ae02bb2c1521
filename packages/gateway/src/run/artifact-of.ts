import { type Bytes, PalyraError, type RunId } from '@palyra/kernel';
import type { BlobsPort, PolicyPort, RunsPort, Toucher } from '../ports.ts';
import type { ArtifactSizes } from './artifact-sizes.ts';
import { imageTypeOf } from './context/images.ts';
import { MayTouch } from './may-touch.ts';

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
  readonly sizes: ArtifactSizes;
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
  { sizes, runs, blobs, policy }: ArtifactParts,
): Promise<ArtifactPage> {
  const run = await runs.get(runId);
  if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\``);
  await new MayTouch(policy).check(run, 'work.see', caller);
  const size = await sizes.find(runId, sha256);
  const beginning = size === undefined ? undefined : await blobs.get(sha256, 0, BEGINNING);
  const data = beginning === undefined ? undefined : await blobs.get(sha256, offset, length);
  if (size === undefined || beginning === undefined || data === undefined) throw gone(runId);
  return { data, size, mediaType: imageTypeOf(beginning) ?? '' };
}

function gone(runId: RunId): PalyraError {
  return new PalyraError('NOT_FOUND', `run \`${runId}\` left nothing by that hash`, {
    help: 'what was kept may have been removed since; the journal still has its hash',
  });
}
