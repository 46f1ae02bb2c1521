import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, PalyraError } from '@palyra/kernel';
import { makePrivateDirectory, systemCode, writeDurably } from '@palyra/private-files';

/** Bytes by their SHA-256: results too large for an answer, files as they were before a change. */
export interface Blobs {
  /** Contract: durable when it resolves, with the SHA-256 in hex; the same bytes are kept once. */
  put(bytes: Uint8Array): Promise<string>;
  /** Contract: at most `length` bytes, fewer only at the end; `undefined` when nothing is kept by that name. */
  get(id: string, offset: number, length: number): Promise<Bytes | undefined>;
}

export interface BlobsOptions {
  /** Ours alone; made when it is missing. */
  readonly folder: string;
  /** Of all together. */
  readonly maxBytes: number;
}

const NAME = /^[0-9a-f]{64}$/;

/** Nothing is ever overwritten: a name is the content. */
export function openBlobs({ folder, maxBytes }: BlobsOptions): Blobs {
  let total: number | undefined;
  const reserve = async (bytes: number) => {
    const found = total ?? (await sizeOf(folder));
    // Somebody may have counted, and added, while we did.
    total ??= found;
    if (total + bytes > maxBytes) throw full(maxBytes);
    total += bytes;
  };
  return {
    put: async (bytes) => {
      const id = createHash('sha256').update(bytes).digest('hex');
      makePrivateDirectory(folder);
      if (await isThere(join(folder, id))) return id;
      await reserve(bytes.length);
      try {
        await writeDurably(join(folder, id), [bytes]);
      } catch (reason) {
        total = undefined;
        throw reason;
      }
      return id;
    },
    get: async (id, offset, length) => {
      if (!NAME.test(id)) return undefined;
      await using file = await openIfThere(join(folder, id));
      if (file === undefined) return undefined;
      const page = Buffer.alloc(length);
      const { bytesRead } = await file.read(page, 0, length, offset);
      return new Uint8Array(page.subarray(0, bytesRead));
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (reason) {
    if (systemCode(reason) === 'ENOENT') return undefined;
    throw reason;
  }
}

async function isThere(path: string): Promise<boolean> {
  await using file = await openIfThere(path);
  return file !== undefined;
}

async function sizeOf(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function full(maxBytes: number): PalyraError {
  return new PalyraError('OVERLOADED', `more than ${maxBytes} bytes would be kept`, {
    help: 'remove the folder `blobs` in the state directory while the daemon is stopped',
  });
}
