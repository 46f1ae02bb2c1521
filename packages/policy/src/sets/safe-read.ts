import { type Stats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemCode } from '@palyra/private-files';
import type { Layer } from '../model.ts';
import { trustInParents } from './admin-path.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { type Complaint, unreadable } from './problems.ts';

export type DiskLayer = Exclude<Layer, 'built-in'>;

export type Opened =
  | { readonly kind: 'opened'; readonly handle: number; readonly stats: Stats }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly complaint: Complaint };

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const TRUSTED = { kind: 'trusted' } as const;
/** A pipe in the place of a file must not hold us until somebody writes to it. */
const FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const ROOT = 0;
const OTHERS_WRITE = 0o022;

/** Contract: what is judged is what was opened; the caller closes the handle. Never throws. */
export function openDirectory(path: string, layer: DiskLayer): Opened {
  const trust = layer === 'admin' ? trustInParents(path) : TRUSTED;
  if (trust.kind !== 'trusted') return trust;
  return judged(open(path, FLAGS | O_DIRECTORY), ({ stats }) => danger(layer, stats));
}

/** Contract: as above, and it is a regular file. */
export function openFile(path: string, layer: DiskLayer): Opened {
  return judged(open(path, FLAGS), ({ stats }) =>
    stats.isFile() ? danger(layer, stats) : NOT_PLAIN,
  );
}

export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly complaint: Complaint };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Contract: reads at most one byte more than is allowed, also of a file that grows meanwhile. */
export function readText(handle: number): FileText {
  try {
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let count = 1; count > 0 && length < bytes.length; length += count) {
      count = readSync(handle, bytes, length, bytes.length - length, null);
    }
    if (length > MAX_FILE_BYTES) return refuse(TOO_LONG);
    return decoded(bytes.subarray(0, length));
  } catch (error) {
    return refuse(unreadable(error));
  }
}

function decoded(bytes: Uint8Array): FileText {
  try {
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    return refuse({ reason: 'it is not UTF-8 text', help: 'save it as UTF-8' });
  }
}

function open(path: string, flags: number): Opened {
  try {
    const handle = openSync(path, flags);
    return { kind: 'opened', handle, stats: fstatSync(handle) };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENXIO') return refuse(NOT_PLAIN);
    return refuse(unreadable(error));
  }
}

function judged(
  opened: Opened,
  judge: (opened: Opened & { readonly kind: 'opened' }) => Complaint | undefined,
): Opened {
  if (opened.kind !== 'opened') return opened;
  const complaint = judge(opened);
  if (complaint === undefined) return opened;
  closeSync(opened.handle);
  return refuse(complaint);
}

/** Whether somebody could have written it who may not make rules of this layer. */
function danger(layer: DiskLayer, { uid, mode }: Stats): Complaint | undefined {
  switch (layer) {
    // Whoever wrote it: a workspace can only narrow.
    case 'workspace':
      return undefined;
    case 'admin':
      return strangers(uid, [ROOT], 'root') ?? writableByOthers(mode);
    case 'operator':
      // Where there are no user ids nobody is trusted.
      return strangers(uid, [process.geteuid?.() ?? -1, ROOT], 'you') ?? writableByOthers(mode);
  }
}

function strangers(uid: number, owners: readonly number[], who: string): Complaint | undefined {
  if (owners.includes(uid)) return undefined;
  return {
    reason: `it belongs to another user (uid ${uid})`,
    help: `make it belong to ${who === 'you' ? 'the user that runs Palyra' : who} with \`chown\`, or move it away`,
  };
}

function writableByOthers(mode: number): Complaint | undefined {
  if ((mode & OTHERS_WRITE) === 0) return undefined;
  return {
    reason: `other users may write to it (mode ${(mode & 0o7777).toString(8).padStart(4, '0')})`,
    help: 'take that right away with `chmod go-w`',
  };
}

const NOT_PLAIN: Complaint = {
  reason: 'it is a link, or neither a directory nor a plain file',
  help: 'put the file itself there',
};

const TOO_LONG: Complaint = {
  reason: `it is longer than ${MAX_FILE_BYTES} bytes`,
  help: 'divide it into several files',
};

function refuse(complaint: Complaint): { readonly kind: 'refused'; readonly complaint: Complaint } {
  return { kind: 'refused', complaint };
}
