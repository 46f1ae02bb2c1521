import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { byteWords } from '../render/words.ts';
import type { Check } from './check.ts';

const NEEDED_NODE = '26';
const GIB = 1024 ** 3;
const LOW_BYTES = GIB;
const EMPTY_BYTES = GIB / 10;

export const checkRuntime: Check = async () => {
  const { node } = process.versions;
  const detail = `Node ${node} on ${process.platform} ${process.arch}`;
  if (node.split('.', 1)[0] === NEEDED_NODE) return { check: 'runtime', result: 'ok', detail };
  const fix = 'start it through `./palyra`, which brings the pinned Node';
  return { check: 'runtime', result: 'failed', detail, fix };
};

export const checkDisk: Check = async ({ places }) => {
  const check = 'disk space';
  const stats = await statfs(await nearestExisting(places.stateDir));
  const free = stats.bavail * stats.bsize;
  const detail = `${byteWords(free)} free for the journal`;
  if (free >= LOW_BYTES) return { check, result: 'ok', detail };
  const fix = `free some space where ${places.stateDir} is`;
  return { check, result: free < EMPTY_BYTES ? 'failed' : 'warning', detail, fix };
};

/** The directory itself may be made only at the first start. */
async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const exists = await statfs(folder).then(
      () => true,
      () => false,
    );
    if (exists || folder === dirname(folder)) return folder;
  }
}
