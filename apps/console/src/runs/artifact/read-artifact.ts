import { PalyraError } from '@palyra/kernel';
import { IMAGE_TYPES } from '../../chat/picked-images.ts';
import { gateway } from '../../wire/gateway.ts';

/** What a run left, by the hash that its journal has. */
export interface Artifact {
  readonly runId: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** As much as one reads before going on. */
export const PAGE_BYTES = 65_536;
/** The most that the gateway gives at once. */
const MOST_AT_ONCE = 1_048_576;
/** What one answer of a tool can have at most is less; an image is far less. */
const MOST_BYTES = 64 * 1_048_576;

export async function readPage({ runId, sha256 }: Artifact, offset: number, signal: AbortSignal) {
  const wish = { runId, sha256, offset: BigInt(offset), limit: PAGE_BYTES };
  return await gateway.runs.readArtifact(wish, { signal });
}

/** All of it. Contract: throws for more than 64 MiB, before any of that is read. */
export async function readWhole(artifact: Artifact, signal: AbortSignal): Promise<Blob> {
  const { runId, sha256, bytes } = artifact;
  if (bytes > MOST_BYTES) {
    throw new PalyraError('INVALID_INPUT', 'it is larger than a page can hold', {
      help: '`palyra runs artifact` writes it into a file',
    });
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [offset, type] = [0, ''];
  while (offset < bytes) {
    const wish = { runId, sha256, offset: BigInt(offset), limit: MOST_AT_ONCE };
    const { data, mediaType } = await gateway.runs.readArtifact(wish, { signal });
    if (data.length === 0) break;
    parts.push(new Uint8Array(data));
    offset += data.length;
    type = mediaType;
  }
  return new Blob(parts, { type: imageType(type) ?? 'application/octet-stream' });
}

/**
 * INVARIANT: nothing is shown as an image but these, by their bytes and not by their name; what could
 * hold a script, such as SVG, is text.
 */
export function imageType(mediaType: string): string | undefined {
  return IMAGE_TYPES.find((known) => known === mediaType);
}
