import { type Dirent, type Stats, closeSync, fstatSync, lstatSync, opendirSync } from 'node:fs';
import { isSecret } from './names.ts';
import { type OpenWorkspace, below, identityOf, stepInto } from './open-workspace.ts';

/** Names that are looked at for the secrets of a workspace; above, nobody knows them all. */
const MAX_NAMES = 200_000;
const MAX_DEPTH = 64;
/** Entries that the system is asked for in one go. */
const READ_AT_ONCE = 256;

export type SecondName =
  /** The only one of its file, or none of a secret. */
  | 'innocent'
  /** Of a file that has a secret name, or lies in a folder of the gateway, too. */
  | 'of-a-secret'
  /** There is more in the workspace than is looked through, or not all of it can be. */
  | 'unknown';

/**
 * Whether a file is a secret under an innocent name: who names it by that was asked nothing. Where a
 * part of the path has a secret name itself, the rules have seen it. Only a file with several names costs.
 */
export function secondNameOf(workspace: OpenWorkspace, stats: Stats, path: string): SecondName {
  if (!stats.isFile() || stats.nlink <= 1) return 'innocent';
  if (path.split('/').some(isSecret)) return 'innocent';
  const secrets = secretsIn(workspace);
  if (secrets.files.has(identityOf(stats))) return 'of-a-secret';
  return secrets.isComplete ? 'innocent' : 'unknown';
}

interface Secrets {
  readonly files: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** A workspace is open for one call; a search meets thousands of linked files in it. */
const KNOWN = new WeakMap<OpenWorkspace, Secrets>();

function secretsIn(workspace: OpenWorkspace): Secrets {
  const known = KNOWN.get(workspace) ?? new SecretScan(workspace);
  KNOWN.set(workspace, known);
  return known;
}

/** Each secret, also one with a single name: it may get its second while the call goes on. */
class SecretScan implements Secrets {
  readonly #workspace: OpenWorkspace;
  readonly files = new Set<string>();
  #names = 0;
  isComplete = true;

  constructor(workspace: OpenWorkspace) {
    this.#workspace = workspace;
    this.#enter(workspace.descriptor, '.', { depth: 0, kind: 'plain' });
  }

  #enter(parent: number, name: string, { depth, kind }: Level): void {
    if (depth > MAX_DEPTH) return this.#giveUp();
    try {
      const folder = stepInto(parent, name);
      try {
        this.#lookInto(folder, { depth, kind });
      } finally {
        closeSync(folder);
      }
    } catch {
      // May not be entered, or is gone, perhaps to where we have been already.
      this.#giveUp();
    }
  }

  #lookInto(folder: number, level: Level): void {
    const stats = fstatSync(folder);
    // No file has names on two file systems.
    if (stats.dev !== this.#workspace.device) return;
    const isClosed = this.#workspace.closed.has(identityOf(stats));
    const kind = isClosed ? 'secret' : level.kind;
    using listing = opendirSync(below(folder, '.'), { bufferSize: READ_AT_ONCE });
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      this.#names += 1;
      if (this.#names > MAX_NAMES) this.#giveUp();
      // What is not known whole lets no second name through: further secrets change nothing.
      if (!this.isComplete) return;
      this.#meet(folder, entry, { ...level, kind });
    }
  }

  #meet(folder: number, entry: Dirent, { depth, kind }: Level): void {
    const inner = kind === 'secret' || isSecret(entry.name) ? 'secret' : 'plain';
    if (entry.isDirectory()) {
      this.#enter(folder, entry.name, { depth: depth + 1, kind: inner });
    } else if (inner === 'secret') {
      const stats = lstatSync(below(folder, entry.name), { throwIfNoEntry: false });
      if (stats === undefined) this.#giveUp();
      else this.files.add(identityOf(stats));
    }
  }

  #giveUp(): void {
    this.isComplete = false;
  }
}

interface Level {
  readonly depth: number;
  readonly kind: 'plain' | 'secret';
}
