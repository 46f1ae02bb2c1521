import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PalyraError, Places } from '@palyra/kernel';
import type { Check } from './check.ts';

const NEEDED_NODE = '26';
const GIB = 1024 ** 3;
const LOW_BYTES = GIB;
const EMPTY_BYTES = GIB / 10;

export function runtimeCheck(): Check {
  return {
    check: 'runtime',
    about: 'the Node that Palyra is made for',
    look: () => {
      const { node } = process.versions;
      const detail = `Node ${node} on ${process.platform} ${process.arch}`;
      if (node.split('.', 1)[0] === NEEDED_NODE) return { result: 'ok', detail };
      const fix = 'start it through `./palyra`, which brings the pinned Node';
      return { result: 'failed', detail, fix };
    },
  };
}

export function diskCheck({ stateDir }: Places): Check {
  return {
    check: 'disk space',
    about: 'room for the journal: without any, nothing is done',
    look: async () => {
      const stats = await statfs(await nearestExisting(stateDir));
      const free = stats.bavail * stats.bsize;
      const detail = `${sizeWords(free)} free for the journal`;
      if (free >= LOW_BYTES) return { result: 'ok', detail };
      const fix = `free some space where ${stateDir} is`;
      return { result: free < EMPTY_BYTES ? 'failed' : 'warning', detail, fix };
    },
  };
}

/** What a daemon knows of its own writing; it may be more than the folder shows, as with a full disk. */
export type WritingFault = () => PalyraError | undefined;

export function journalFolderCheck({ storeFile }: Places, writingFault: WritingFault): Check {
  const folder = dirname(storeFile);
  return {
    check: 'journal writable',
    about: 'what cannot be recorded is not done',
    look: async () => {
      const fault = writingFault();
      if (fault !== undefined) throw fault;
      // Nothing there yet is how every installation begins.
      if (!(await may(folder, constants.F_OK))) {
        return { result: 'ok', detail: 'will be made at the first start' };
      }
      if (await may(folder, constants.W_OK)) return { result: 'ok', detail: folder };
      const fix = `give yourself the right to write to ${folder}, or mend the disk`;
      return { result: 'failed', detail: `${folder} cannot be written`, fix };
    },
  };
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The directory itself may be made only at the first start. */
async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await may(folder, constants.F_OK)) || folder === dirname(folder)) return folder;
  }
}

function sizeWords(bytes: number): string {
  return bytes >= GIB ? `${Math.round(bytes / GIB)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
