import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Advice, adviceFor } from './advice.ts';
import { hashContent } from './content.ts';
import { type Executable, type FileIdentity, identityOf, isSameFile } from './open-executable.ts';

/** The shells and interpreters that this machine has, so that they are known under any other name. */
export interface Interpreters {
  /** The same file, or one with the same content. */
  recognise(executable: Executable): Advice | undefined;
}

interface Known {
  readonly path: string;
  readonly advice: Advice;
  readonly identity: FileIdentity;
}

export interface InterpreterPlaces {
  readonly folders: readonly string[];
  /** Single files beside them: the program that we are ourselves is an interpreter, too. */
  readonly files: readonly string[];
}

/** Contract: looks again when a folder has changed; holds no more than the folders do. */
export function knownInterpreters({ folders, files }: InterpreterPlaces): Interpreters {
  let known: readonly Known[] = [];
  let seenAt = '';
  const hashes = new Map<string, string>();
  const look = (): readonly Known[] => {
    const now = folders.map(changeOf).join(' ');
    if (now === seenAt) return known;
    known = [...folders.flatMap(pathsIn), ...files].flatMap(knownAt);
    seenAt = now;
    hashes.clear();
    return known;
  };
  const hashOf = (one: Known): string => {
    const hash = hashes.get(one.path) ?? hashPath(one.path);
    hashes.set(one.path, hash);
    return hash;
  };
  return {
    recognise: (executable) => {
      const all = look();
      const same = all.find(({ identity }) => isSameFile(identity, executable.identity));
      if (same !== undefined) return same.advice;
      const alike = all.filter(({ identity }) => identity.size === executable.identity.size);
      if (alike.length === 0) return undefined;
      const hash = hashContent(executable.descriptor);
      return alike.find((one) => hashOf(one) === hash)?.advice;
    },
  };
}

/** Starters are many and harmless under another name; these are what a copy is made of. */
const COPIED: readonly Advice['kind'][] = ['shell', 'interpreter', 'multi-call', 'loader'];

function knownAt(path: string): readonly Known[] {
  const advice = adviceFor(path.slice(path.lastIndexOf('/') + 1));
  if (advice === undefined || !COPIED.includes(advice.kind)) return [];
  const identity = identityAt(path);
  return identity === undefined ? [] : [{ path, advice, identity }];
}

const O_PATH = 0o10000000;

function identityAt(path: string): FileIdentity | undefined {
  try {
    return withPlace(path, identityOf);
  } catch {
    return undefined;
  }
}

/** Contract: an empty text, equal to no hash, for what went meanwhile or may not be read. */
function hashPath(path: string): string {
  try {
    return withPlace(path, hashContent);
  } catch {
    return '';
  }
}

function withPlace<T>(path: string, use: (place: number) => T): T {
  const place = openSync(path, O_PATH);
  try {
    return use(place);
  } finally {
    closeSync(place);
  }
}

function pathsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function changeOf(folder: string): string {
  return `${statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 'none'}`;
}
