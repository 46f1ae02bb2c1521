import { type Dirent, type Stats, closeSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import { below, openFolder } from '../workspace.ts';
import {
  type GuardRules,
  OBEYED_FILES,
  OBEYED_FOLDERS,
  REPOSITORY_MARKS,
  SHELL_FILES,
  isObeyed,
  isSecret,
} from './rules.ts';

/** A name in the workspace that must not be written, or not even be read. Relative to it. */
export interface Guarded {
  readonly path: string;
  readonly how:
    /** Bound to itself: cannot be renamed away with what is guarded in it. */
    | 'pinned'
    | 'read-only'
    /** There, and nobody can read it; a folder looks empty. */
    | 'sealed-file'
    | 'sealed-folder'
    /** Not there; an empty one is, which cannot be written, as long as the sandbox lives. */
    | 'missing-file'
    | 'missing-folder';
}

/** More than this is not looked through before every command; the whole call is refused instead. */
export const MAX_NAMES = 200_000;
export const MAX_DEPTH = 64;
/** Every one is a mount, and the kernel's list of mounts is read for each. */
export const MAX_GUARDED = 512;

/** Written by package managers, read by them alone, and of hundred thousands of files. */
const NOT_ENTERED = 'node_modules';

/**
 * Contract: the same tree gives the same list, ancestors first; what stands there only because masks
 * of ours lie on it counts as missing. Throws SANDBOX_SCOPE_DENIED.
 */
export function scan(
  workspace: number,
  rules: GuardRules,
  ours: ReadonlySet<string>,
): readonly Guarded[] {
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const found = new Findings(workspace, rules, ours);
    found.enter('', '', 0);
    found.addLinkedSecrets();
    found.addMissing();
    if (!found.hasMoved) return found.list();
  }
  throw new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    'the workspace changes faster than it can be read',
    {
      help: 'wait until whatever renames its folders has ended',
    },
  );
}

/** A folder that is gone between its name and its content may have been renamed, with what is in it. */
const MAX_TRIES = 5;

class Findings {
  readonly #root: number;
  readonly #rules: GuardRules;
  readonly #ours: ReadonlySet<string>;
  readonly #guarded = new Map<string, Guarded['how']>();
  readonly #linked = new Set<string>();
  /** What there is at the top, so that for what is not nobody has to be asked. */
  #top: ReadonlySet<string> = new Set();
  #names = 0;
  hasMoved = false;

  constructor(root: number, rules: GuardRules, ours: ReadonlySet<string>) {
    this.#root = root;
    this.#rules = rules;
    this.#ours = ours;
  }

  enter(folder: string, name: string, depth: number): void {
    if (depth > MAX_DEPTH) throw tooLarge(`is deeper than ${MAX_DEPTH} folders`);
    const entries = this.#read(folder);
    this.#names += entries.length;
    if (this.#names > MAX_NAMES) throw tooLarge(`holds more than ${MAX_NAMES} names`);
    if (folder === '') this.#top = new Set(entries.map((entry) => entry.name));
    if (isRepository(entries)) return this.#guardRepository(folder);
    for (const entry of entries) this.#judge(folder, name, { entry, depth });
  }

  #judge(folder: string, parent: string, at: { entry: Dirent; depth: number }): void {
    const { entry, depth } = at;
    const path = join(folder, entry.name);
    if (this.#ours.has(path)) return;
    const isExcepted = this.#rules.exceptions.includes(entry.name);
    if (!isExcepted && isSecret(entry.name)) return this.#seal(path, entry);
    if (entry.name === '.git' || (!isExcepted && isObeyed(parent, entry.name))) {
      if (entry.isSymbolicLink()) throw linked(path);
      this.#guarded.set(path, 'read-only');
    }
    // A repository is as its tools left it; in everything else secrets are looked for.
    if (entry.name === '.git') return;
    if (entry.isDirectory() && entry.name !== NOT_ENTERED) this.enter(path, entry.name, depth + 1);
  }

  #seal(path: string, entry: Dirent): void {
    if (entry.isDirectory()) {
      this.#guarded.set(path, 'sealed-folder');
      return;
    }
    // What a link leads to, if it is in here, is found by what it is; elsewhere it is not to be seen.
    const look = entry.isSymbolicLink() ? statSync : lstatSync;
    const stat = look(below(this.#root, path), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) throw linked(path);
    if (!entry.isSymbolicLink()) this.#guarded.set(path, 'sealed-file');
    if (entry.isSymbolicLink() || stat.nlink > 1) this.#linked.add(identity(stat));
  }

  /** A bare one, or one that a worktree or a submodule refers to: as good as a `.git`. */
  #guardRepository(folder: string): void {
    if (folder === '') throw isRepositoryItself();
    this.#guarded.set(folder, 'read-only');
  }

  #guardEach(paths: readonly string[], missing: 'missing-file' | 'missing-folder'): void {
    for (const path of paths) this.#guardOrMask(path, missing);
  }

  /** A name of several parts is masked at the first that is missing. */
  #guardOrMask(path: string, missing: 'missing-file' | 'missing-folder'): void {
    const names = path.split('/');
    for (const [place, name] of names.entries()) {
      const here = names.slice(0, place + 1).join('/');
      if (this.#guarded.get(here) === 'read-only' || this.#rules.exceptions.includes(name)) return;
      const stat = this.#look(here);
      const isLast = place === names.length - 1;
      if (stat?.isSymbolicLink() === true) throw linked(here);
      if (stat === undefined)
        return void this.#guarded.set(here, isLast ? missing : 'missing-folder');
      if (isLast) this.#guarded.set(here, 'read-only');
      else if (!stat.isDirectory()) return;
      // Whoever made it, perhaps for a mask, must be able to remove it: nothing of ours is put into it.
      else if (this.#read(here).length === 0) return void this.#guarded.set(here, 'read-only');
    }
  }

  /** Only at the top: where people start programs. */
  addMissing(): void {
    const isThere = (name: string) => this.#look(name) !== undefined;
    this.#guardEach(OBEYED_FILES, 'missing-file');
    this.#guardEach(OBEYED_FOLDERS, 'missing-folder');
    // Shells look for theirs in a home, and this looks like one.
    if (SHELL_FILES.some(isThere)) this.#guardEach(SHELL_FILES, 'missing-file');
    if (isThere('.git') && (isThere('.git/HEAD') || !this.#isFolder('.git'))) return;
    // Without `HEAD` the folder itself cannot be made a repository, whose hooks somebody would run.
    this.#guardEach(['HEAD'], 'missing-file');
    this.#guardEach(['.git'], 'missing-folder');
  }

  #isFolder(path: string): boolean {
    return this.#look(path)?.isDirectory() === true;
  }

  /** A second name of a secret hides nothing by the first one's mask. */
  addLinkedSecrets(): void {
    if (this.#linked.size > 0) this.#findLinks('');
  }

  #findLinks(folder: string): void {
    for (const entry of this.#read(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        this.#findLinks(path);
      } else if (entry.isFile()) {
        const stat = lstatSync(below(this.#root, path), { throwIfNoEntry: false });
        if (stat !== undefined && this.#linked.has(identity(stat))) {
          this.#guarded.set(path, 'sealed-file');
        }
      }
    }
  }

  list(): readonly Guarded[] {
    for (const path of this.#guarded.keys()) this.#pinAbove(path);
    if (this.#guarded.size > MAX_GUARDED) {
      throw tooLarge(`holds more than ${MAX_GUARDED} names that must be guarded`);
    }
    return [...this.#guarded]
      .map(([path, how]) => ({ path, how }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** A folder that is renamed takes what is mounted in it along. */
  #pinAbove(path: string): void {
    const names = path.split('/').slice(0, -1);
    for (const place of names.keys()) {
      const above = names.slice(0, place + 1).join('/');
      if (!this.#guarded.has(above)) this.#guarded.set(above, 'pinned');
    }
  }

  #look(path: string): Stats | undefined {
    if (this.#ours.has(path) || !this.#top.has(path.split('/', 1)[0] ?? '')) return undefined;
    return lstatSync(below(this.#root, path), { throwIfNoEntry: false });
  }

  #read(folder: string): readonly Dirent[] {
    try {
      const descriptor = openFolder(this.#root, folder === '' ? '.' : folder);
      try {
        return readdirSync(below(descriptor, '.'), { withFileTypes: true });
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      // What we cannot read, whoever runs as us cannot read either; all else is not where it was.
      if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) {
        this.hasMoved = true;
      }
      return [];
    }
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function identity({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function isRepository(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return REPOSITORY_MARKS.every((mark) => names.has(mark));
}

function isRepositoryItself(): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', "the workspace is a repository's own folder", {
    help: 'name the folder of its working tree, or one above',
  });
}

function tooLarge(why: string): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `the workspace ${why}`, {
    help: 'choose a smaller folder; every name is looked at before a command may start',
  });
}

function linked(path: string): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `${quote(path)} is a link, and a link cannot be guarded`,
    { help: 'replace the link by what it leads to, or except its name from the guarded ones' },
  );
}
