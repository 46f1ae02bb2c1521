import { type JsonObject, PalyraError, quote } from '@palyra/kernel';
import type { ToolOutput } from '../hands.ts';
import { settle } from '../settle.ts';
import { answer } from '../workspace/answer.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { artifactReadArguments } from './manifest.ts';
import { PAGE_BYTES, pageLength } from './page.ts';

/**
 * What earlier calls left. INVARIANT: whoever hands it in knows whose calls: a hash alone must not be
 * a way to what others have read.
 */
export interface ArtifactPort {
  /** Contract: how many bytes it has; `undefined` unless it is one of theirs. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Contract: at most `length` bytes, fewer only at the end; `undefined` when it is no longer kept. */
  get(sha256: string, offset: number, length: number): Promise<Uint8Array | undefined>;
}

/** A line of ours about what is shown and how to read on, then a page of it. Contract: never rejects. */
export async function runArtifactRead(
  args: JsonObject,
  artifacts: ArtifactPort,
  signal: AbortSignal,
): Promise<ToolOutput> {
  return await settle(async () => ({ bytes: await readPage(args, artifacts) }), signal);
}

async function readPage(args: JsonObject, artifacts: ArtifactPort): Promise<Uint8Array> {
  const { sha256, offset } = readArguments(artifactReadArguments(), args);
  const size = await artifacts.sizeOf(sha256);
  if (size === undefined) throw unknown(sha256);
  if (offset >= size) {
    throw new PalyraError('TOOL_FAILED', `it has ${size} bytes, so none at ${offset}`, {
      help: 'start at an earlier byte',
    });
  }
  const piece = await artifacts.get(sha256, offset, PAGE_BYTES);
  if (piece === undefined || piece.length === 0) throw unknown(sha256);
  if (piece.includes(0)) {
    throw new PalyraError('TOOL_FAILED', 'it is not a text', {
      help: 'a person can look at it; a program in a sandbox cannot',
    });
  }
  const isLast = offset + piece.length >= size;
  const end = offset + (isLast ? piece.length : pageLength(piece));
  const further = end < size ? `read on with \`offset\` ${end}` : 'the end of it';
  return answer([`bytes ${offset} to ${end} of ${size}`, further], piece.subarray(0, end - offset));
}

function unknown(sha256: string): PalyraError {
  return new PalyraError('NOT_FOUND', `no call of this session left ${quote(sha256)}`, {
    help: 'only what a result of this session names can be read',
  });
}
