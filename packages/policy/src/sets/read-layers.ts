import { type Dirent, type Stats, closeSync, lstatSync, opendirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '@palyra/private-files';
import type { PolicyFile, Problem } from '../model.ts';
import {
  MAX_FILES,
  MAX_NAMES,
  MAX_PROBLEMS,
  MAX_SET_BYTES,
  MAX_WORKSPACE_BYTES,
  MAX_WORKSPACE_FILES,
} from './limits.ts';
import { type Complaint, problemOf } from './problems.ts';
import { type DiskLayer, openDirectory, openFile, readText } from './safe-read.ts';
import { isRuleName, strayComplaint } from './strays.ts';

/** Where each layer is read from; a layer without a directory is empty. */
export interface PolicyDirs {
  readonly admin?: string;
  readonly operator?: string;
  /** `.palyra/policies` of a workspace. */
  readonly workspace?: string;
}

export interface LayerReading {
  readonly files: readonly PolicyFile[];
  readonly problems: readonly Problem[];
}

/** Lies in the operator's directory while the files there are being exchanged. */
export const MARKER = '.applying';
/** Plain, so that no name looks like another; `.cedar` and nothing hidden. */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,90}\.cedar$/;

/**
 * Everything that lies on the disk, as it is now. Contract: never throws, and never waits for a
 * file. A missing directory is an empty layer; anything else that is not as it should be is a
 * problem, and then the files are not the whole.
 */
export function readLayers(dirs: PolicyDirs): LayerReading {
  const layers = (['admin', 'operator', 'workspace'] as const).map((layer) => {
    const path = dirs[layer];
    return path === undefined ? NOTHING : readLayer(layer, path);
  });
  return {
    files: layers.flatMap(({ files }) => files),
    problems: layers.flatMap(({ problems }) => problems).slice(0, MAX_PROBLEMS),
  };
}

/** What would keep files from being read again, if they were written as one layer. */
export function layerProblems(files: readonly PolicyFile[]): readonly Problem[] {
  // On some disks a name in capitals is the same file.
  const names = new Set(files.map(({ name }) => name.toLowerCase()));
  return [
    ...files.flatMap((file) => (FILE_NAME.test(file.name) ? [] : [problemOf(file, BAD_NAME)])),
    ...files.flatMap((file) => (file.text.isWellFormed() ? [] : [problemOf(file, NOT_TEXT)])),
    ...files.slice(MAX_FILES, MAX_FILES + 1).map((file) => problemOf(file, tooMany(MAX_FILES))),
    ...files.slice(names.size, names.size + 1).map((file) => problemOf(file, SAME_NAME)),
  ].slice(0, MAX_PROBLEMS);
}

const LIMITS = {
  admin: { files: MAX_FILES, bytes: MAX_SET_BYTES },
  operator: { files: MAX_FILES, bytes: MAX_SET_BYTES },
  workspace: { files: MAX_WORKSPACE_FILES, bytes: MAX_WORKSPACE_BYTES },
} as const satisfies Record<DiskLayer, { readonly files: number; readonly bytes: number }>;
const NOTHING: LayerReading = { files: [], problems: [] };

function readLayer(layer: DiskLayer, path: string): LayerReading {
  const opened = openDirectory(path, layer);
  switch (opened.kind) {
    case 'missing':
      return NOTHING;
    case 'refused':
      return ofDirectory(layer, opened.complaint);
    case 'opened':
      try {
        return readOpened(layer, path, opened.stats);
      } catch (error) {
        return ofDirectory(layer, cannotList(error));
      } finally {
        closeSync(opened.handle);
      }
  }
}

function readOpened(layer: DiskLayer, path: string, before: Stats): LayerReading {
  const entries = entriesIn(path);
  const names = entries.map(({ name }) => name);
  if (names.length > MAX_NAMES) return ofDirectory(layer, TOO_FULL);
  if (layer === 'operator' && names.includes(MARKER)) return ofDirectory(layer, INTERRUPTED);
  const wanted = names.filter(isRuleName);
  const { files: limit } = LIMITS[layer];
  if (wanted.length > limit) return ofDirectory(layer, tooMany(limit));
  const { files, problems } = readFiles(layer, path, wanted);
  // Names lead through the directory, which may be another by now than the one that was judged.
  const after = lstatSync(path);
  if (after.ino !== before.ino || after.dev !== before.dev) return ofDirectory(layer, EXCHANGED);
  if (layer === 'workspace' && !isWhereItSeems(path)) return ofDirectory(layer, ELSEWHERE);
  return { files, problems: [...problems, ...straysAmong(layer, entries)] };
}

/** What lies in a directory and would be passed over. Contract: none where it cannot be listed. */
export function straysIn(layer: DiskLayer, path: string): readonly Problem[] {
  try {
    return straysAmong(layer, entriesIn(path));
  } catch {
    // Whoever goes on to use the directory says what is wrong with it.
    return [];
  }
}

function straysAmong(layer: DiskLayer, entries: readonly Dirent[]): readonly Problem[] {
  return entries
    .filter(({ name }) => !isRuleName(name))
    .flatMap((entry) => {
      const complaint = strayComplaint(entry);
      return complaint === undefined ? [] : [problemOf({ layer, name: entry.name }, complaint)];
    })
    .slice(0, MAX_PROBLEMS);
}

/** Contract: one more than are allowed at the most. */
function entriesIn(path: string): readonly Dirent[] {
  const entries: Dirent[] = [];
  using directory = opendirSync(path);
  for (
    let entry = directory.readSync();
    entry !== null && entries.length <= MAX_NAMES;
    entry = directory.readSync()
  ) {
    entries.push(entry);
  }
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function readFiles(layer: DiskLayer, path: string, names: readonly string[]): LayerReading {
  const files: PolicyFile[] = [];
  const problems: Problem[] = [];
  let bytes = 0;
  for (const name of names) {
    const read = readOne(layer, join(path, name), name);
    if (read.kind === 'refused') problems.push(problemOf({ layer, name }, read.complaint));
    if (read.kind !== 'text') continue;
    files.push({ layer, name, text: read.text });
    bytes += Buffer.byteLength(read.text);
    const limit = LIMITS[layer].bytes;
    if (bytes > limit) return ofDirectory(layer, tooLong(limit));
  }
  return { files, problems };
}

function readOne(layer: DiskLayer, path: string, name: string): ReturnType<typeof readText> | Gone {
  if (!FILE_NAME.test(name)) return { kind: 'refused', complaint: BAD_NAME };
  const opened = openFile(path, layer);
  if (opened.kind !== 'opened') return opened;
  try {
    return readText(opened.handle);
  } finally {
    closeSync(opened.handle);
  }
}

/** It was removed while we were reading: as good as never there. */
interface Gone {
  readonly kind: 'missing';
}

/** No link on the last two steps, `.palyra` and `policies`: it would lead out of the workspace. */
function isWhereItSeems(path: string): boolean {
  const workspace = realpathSync(join(path, '..', '..'));
  return realpathSync(path) === join(workspace, basename(dirname(path)), basename(path));
}

function ofDirectory(layer: DiskLayer, complaint: Complaint): LayerReading {
  return { files: [], problems: [problemOf({ layer, name: '.' }, complaint)] };
}

const INTERRUPTED: Complaint = {
  reason: 'an apply was interrupted, so the files may be half old and half new',
  help: 'run `palyra policy apply` again',
};
const TOO_FULL: Complaint = {
  reason: `there are more than ${MAX_NAMES} files and folders`,
  help: 'keep nothing there but rules',
};
const EXCHANGED: Complaint = {
  reason: 'the directory was exchanged while it was read',
  help: 'load the rules again with `palyra policy reload`',
};
const ELSEWHERE: Complaint = {
  reason: 'a link leads out of the workspace',
  help: 'put the directory itself there',
};
const SAME_NAME: Complaint = {
  reason: 'two files have the same name',
  help: 'rename one of them; capitals alone do not make a difference',
};
const NOT_TEXT: Complaint = { reason: 'it is not Unicode text', help: 'save it as UTF-8' };
const BAD_NAME: Complaint = {
  reason: 'it has a name that a file of rules cannot have',
  help: 'use letters, digits, `.`, `_` and `-`, at most 97 characters, with `.cedar` at the end',
};

function tooMany(limit: number): Complaint {
  return { reason: `there are more than ${limit} files`, help: 'put several rules into one file' };
}

function tooLong(limitBytes: number): Complaint {
  return {
    reason: `the files are longer than ${limitBytes} bytes together`,
    help: 'remove rules that are not needed',
  };
}

function cannotList(error: unknown): Complaint {
  return {
    reason: `it cannot be listed (${systemCode(error) ?? 'unknown reason'})`,
    help: 'make it readable for the user that runs Palyra, or move it away',
  };
}
