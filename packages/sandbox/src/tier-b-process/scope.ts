import { readlinkSync } from 'node:fs';
import { PalyraError, quote, sha256Hex } from '@palyra/kernel';
import { type GuardRules, isSecret } from '../tier-c-bubblewrap/guard/rules.ts';
import { below, lookAt } from '../tier-c-bubblewrap/workspace.ts';
import { readingsOf } from './readings.ts';

export interface Scope {
  /** Of the workspace's folder itself. */
  readonly workspace: number;
  /** Its one spelling, absolute. */
  readonly path: string;
  /** Below it, where the command starts; `.` for itself. */
  readonly directory: string;
  /** Names that look like secrets and are none. */
  readonly guard: GuardRules;
}

/** For all words of a request together: looking takes time in which nothing else is done. */
const MAX_READINGS = 16_384;
/** Folders that are opened on the way. */
const MAX_STEPS = 65_536;
const MAX_LINKS = 40;
/** What the kernel takes for a path; longer ones lead nowhere. */
const MAX_PATH_BYTES = 4095;
/** Of everybody, and nobody's file. */
const STREAMS: readonly string[] = ['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr'];

/**
 * Looks at everything in these words that may be a path, link by link, without ever leaving the workspace.
 * Contract: throws SANDBOX_SCOPE_DENIED for the first that leads out of it, or to a secret in it. The answer stands for what was
 * found: another answer later says that something was exchanged meanwhile.
 */
export function checkScope(scope: Scope, words: readonly string[]): string {
  const readings = words.flatMap(readingsOf);
  if (readings.length > MAX_READINGS) throw tooMany();
  const walk = new Walk(scope);
  const found = readings
    .filter((reading) => !STREAMS.includes(reading))
    .map((reading) => walk.place(reading));
  return sha256Hex(Buffer.from(found.join('\n')));
}

/** Where in the workspace a path leads. Contract: throws SANDBOX_SCOPE_DENIED when it leads out. */
export function placeInside(scope: Scope, path: string): string {
  return new Walk(scope).resolve(path).at.join('/') || '.';
}

const MISSING = 'missing';

interface Found {
  readonly at: readonly string[];
  readonly identity: string;
}

class Walk {
  readonly #scope: Scope;
  readonly #root: readonly string[];
  #steps = MAX_STEPS;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#root = namesOf(scope.path);
  }

  place(reading: string): string {
    const { at, identity } = this.resolve(reading);
    const { exceptions } = this.#scope.guard;
    const secret = at.find((name) => isSecret(name) && !exceptions.includes(name));
    if (secret !== undefined && identity !== MISSING) throw kept(reading);
    return `${identity} ${JSON.stringify(at)}`;
  }

  resolve(reading: string): Found {
    // A program that knows homes would expand it; no file of that name is worth the doubt.
    if (reading.startsWith('~')) throw denied(reading);
    let at: string[] = [];
    const start = this.#namesFrom(reading, namesOf(this.#scope.directory));
    if (Buffer.byteLength(reading) > MAX_PATH_BYTES) return lexical({ at, rest: start }, reading);
    const rest = start.toReversed();
    for (let links = 0; ;) {
      const name = rest.pop();
      if (name === undefined) return { at, identity: this.#identityOf(at) };
      this.#step(at.length + 1);
      if (name === '..') {
        if (at.pop() === undefined) throw denied(reading);
        continue;
      }
      const next = [...at, name];
      const stat = lookAt(this.#scope.workspace, next.join('/'));
      if (stat?.isSymbolicLink() === true) {
        links += 1;
        if (links > MAX_LINKS) throw denied(reading);
        const names = this.#namesFrom(this.#targetOf(next, reading), at);
        rest.push(...names.toReversed());
        at = [];
      } else if (stat === undefined || (!stat.isDirectory() && rest.length > 0)) {
        return lexical({ at: next, rest: rest.toReversed() }, reading);
      } else {
        at = next;
      }
    }
  }

  /** An absolute path must spell the workspace as it is spelt; `/proc/self/root` and others do not. */
  #namesFrom(path: string, from: readonly string[]): readonly string[] {
    const names = namesOf(path);
    if (!path.startsWith('/')) return [...from, ...names];
    if (this.#root.every((name, place) => names[place] === name)) {
      return names.slice(this.#root.length);
    }
    throw denied(path);
  }

  #targetOf(link: readonly string[], reading: string): string {
    const path = link.join('/');
    try {
      return readlinkSync(below(this.#scope.workspace, path));
    } catch (cause) {
      throw denied(reading, cause);
    }
  }

  #identityOf(at: readonly string[]): string {
    const stat = lookAt(this.#scope.workspace, at.length === 0 ? '.' : at.join('/'));
    return stat === undefined ? MISSING : `${stat.dev}:${stat.ino}`;
  }

  #step(opened: number): void {
    this.#steps -= opened;
    if (this.#steps < 0) throw tooMany();
  }
}

/** Of what is not there: it may be by the time that somebody looks, so it must not lead out either. */
function lexical(
  { at, rest }: { readonly at: readonly string[]; readonly rest: readonly string[] },
  reading: string,
): Found {
  const names = [...at];
  for (const name of rest) {
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) throw denied(reading);
  }
  return { at: names, identity: MISSING };
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function denied(reading: string, cause?: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the word ${quote(reading)} leads out of the workspace`,
    { cause, help: 'name files of the workspace, or run it in tier C, which sees nothing else' },
  );
}

function kept(reading: string): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `${quote(reading)} looks like a secret`, {
    help: 'rename it if it is none; a name alone decides, since nobody reads what may be secret',
  });
}

function tooMany(): PalyraError {
  return new PalyraError(
    'INVALID_INPUT',
    'there are more paths in the words than tier B can check',
    { help: 'give it fewer at a time, or run it in tier C' },
  );
}
