import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The file appears whole or not at all, and only its owner can read it. */
export async function writePrivately(path: string, content: string | Uint8Array): Promise<void> {
  const partial = join(dirname(path), `.palyra-${process.pid}.partial`);
  try {
    await using file = await open(partial, 'wx', 0o600);
    await file.writeFile(content);
    await file.sync();
    await rename(partial, path);
  } catch (reason) {
    await rm(partial, { force: true });
    throw reason;
  }
}
