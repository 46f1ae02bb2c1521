import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type PolicyCandidate,
  PolicyCandidateSchema,
  type PolicyFile,
  PolicyFileSchema,
  PolicyLayer,
} from '@palyra/protocol';

/** As many and as large as a layer may be; the gateway counts again. */
const MAX_FILES = 128;
const MAX_FILE_BYTES = 256 * 1024;

/** Sets are compared in a thread of their own, with thousands of questions to both. */
export const COMPARING = { timeoutMs: 120_000 } as const;

/** A set as a person names it: `active`, a hash or how one begins, or where its files are. */
export async function candidateOf(name: string): Promise<PolicyCandidate> {
  if (name === 'active' || /^[0-9a-f]{8,64}$/.test(name)) {
    return create(PolicyCandidateSchema, {
      candidate: { case: 'policySetHash', value: name },
    });
  }
  const files = [...(await filesOf(name))];
  return create(PolicyCandidateSchema, { candidate: { case: 'files', value: { files } } });
}

/** The rules at a path: of one file, or of every `*.cedar` in a folder. */
export async function filesOf(path: string): Promise<readonly PolicyFile[]> {
  const names = await namesIn(path);
  if (names === undefined) return [await readRules(path, basename(path))];
  // A mistyped folder must not become a layer without rules.
  if (names.length === 0) throw refused('there is no `.cedar` file in', path);
  if (names.length > MAX_FILES) throw refused(`more than ${MAX_FILES} files are in`, path);
  return await Promise.all(names.map((name) => readRules(join(path, name), name)));
}

/** Contract: `undefined` for what is not a folder. */
async function namesIn(path: string): Promise<readonly string[] | undefined> {
  const entries = await entriesIn(path);
  const stray = entries?.find((entry) =>
    isRuleName(entry.name) ? entry.isSymbolicLink() : isStray(entry),
  );
  if (stray !== undefined) {
    throw new PalyraError('INVALID_INPUT', `it would be left out: \`${join(path, stray.name)}\``, {
      help: `\`palyra policy check ${path}\` says why`,
    });
  }
  return entries
    ?.map(({ name }) => name)
    .filter(isRuleName)
    .toSorted();
}

async function entriesIn(path: string): Promise<readonly Dirent[] | undefined> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (cause) {
    if (isCode(cause, 'ENOTDIR')) return undefined;
    throw refused(isCode(cause, 'ENOENT') ? 'there is nothing at' : 'cannot read', path, cause);
  }
}

function isRuleName(name: string): boolean {
  return name.endsWith('.cedar') && !name.startsWith('.');
}

/** What somebody may believe to be a part of the rules: as the gateway sees it in a layer's folder. */
function isStray(entry: Dirent): boolean {
  const { name } = entry;
  if (entry.isSymbolicLink()) return !name.startsWith('.#');
  if (entry.isDirectory()) return name !== 'tests' && name !== '.git';
  return !entry.isFile() || name.toLowerCase().endsWith('.cedar');
}

async function readRules(path: string, name: string): Promise<PolicyFile> {
  await using file = await openRules(path);
  const stat: Stats = await file.stat();
  if (!stat.isFile()) throw refused('not a plain file:', path);
  if (stat.size > MAX_FILE_BYTES) throw refused(`longer than ${MAX_FILE_BYTES} bytes:`, path);
  const text = decode(await file.readFile(), path);
  return create(PolicyFileSchema, { layer: PolicyLayer.OPERATOR, name, text });
}

async function openRules(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw refused('cannot read', path, cause);
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused('not UTF-8:', path, cause);
  }
}

function refused(why: string, path: string, cause?: unknown): PalyraError {
  return new PalyraError('INVALID_INPUT', `${why} \`${path}\``, {
    cause,
    help: 'name a `.cedar` file, a folder of them, the hash of a set, or `active`',
  });
}

function isCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}
