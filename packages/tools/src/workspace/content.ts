import { readSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { Opened } from './place.ts';
import { explain, failed } from './refusals.ts';

/** Contract: the whole file, at most `limitBytes` of it; a longer one is refused, never cut. */
export function readWhole(file: Opened, path: string, limitBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.min(file.stats.size, limitBytes) + 1);
  let length = 0;
  try {
    while (length < bytes.length) {
      const read = readSync(file.descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
  } catch (error) {
    throw explain(error, path);
  }
  throw failed(path, `is larger than ${limitBytes} bytes or still growing`, 'use a program for it');
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
