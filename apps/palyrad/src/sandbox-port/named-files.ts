import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { JsonObject } from '@palyra/kernel';
import { type NamedFile, NamedFileSchema } from '@palyra/protocol';

const MOST_FILES = 32;
/** Of all of them: nobody else is served while they are read. */
const MOST_BYTES = 16 * 1024 ** 2;
const CHUNK_BYTES = 65_536;

/**
 * Files of the workspace that a command names, as program or in an argument, each with its hash: a
 * yes to `sh build.sh` is one to this `build.sh`. What is no file there, or too large, is left out.
 * Contract: never throws.
 */
export function namedFiles(args: JsonObject | undefined, workspace: string): readonly NamedFile[] {
  const { command, args: words, cwd } = args ?? {};
  const named = [command, ...(Array.isArray(words) ? words : [])];
  const names = new Set(
    named.flatMap((word) => (typeof word === 'string' && word !== '' ? [word] : [])),
  );
  const folder = resolve(workspace, typeof cwd === 'string' ? cwd : '.');
  const files: NamedFile[] = [];
  let left = MOST_BYTES;
  for (const name of names) {
    const seen = lookAt(resolve(folder, name), { workspace, left });
    if (seen === undefined) continue;
    left -= seen.bytes;
    files.push(create(NamedFileSchema, { name, sha256: seen.sha256 }));
    if (files.length === MOST_FILES) break;
  }
  return files;
}

interface Seen {
  readonly sha256: string;
  readonly bytes: number;
}

function lookAt(
  path: string,
  { workspace, left }: { readonly workspace: string; readonly left: number },
): Seen | undefined {
  try {
    const real = realpathSync(path);
    if (!real.startsWith(join(workspace, sep))) return undefined;
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const descriptor = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.size <= left ? read(descriptor, left) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // No such file, or none that may be read: then nothing is said about it.
    return undefined;
  }
}

/** Contract: `undefined` for one that is longer, or becomes so while it is read. */
function read(descriptor: number, mostBytes: number): Seen | undefined {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let bytes = 0; bytes <= mostBytes;) {
    const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) return { sha256: hash.digest('hex'), bytes };
    hash.update(chunk.subarray(0, length));
    bytes += length;
  }
  return undefined;
}
