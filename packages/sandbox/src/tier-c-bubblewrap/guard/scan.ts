import {
  type Dirent,
  type Stats,
  accessSync,
  closeSync,
  constants,
  lstatSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import { below, openFolder } from '../workspace.ts';
import {
  type GuardRules,
  OBEYED,
  REPOSITORY_MARKS,
  SHELL_FILES,
  isGit,
  isInstruction,
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

export interface Scanned {
  /** Ancestors first. */
  readonly guarded: readonly Guarded[];
  /** What ought to be guarded and cannot be, in words. */
  readonly weaknesses: readonly string[];
}

export interface ScanOptions {
  readonly rules: GuardRules;
  /** What stands there only because masks of ours lie on it: it counts as missing. */
  readonly ours: ReadonlySet<string>;
  /** At most `MAX_NAMES`, which it is when nothing is said. */
  readonly mostNames?: number;
}

/** More than this is not looked through before every command; the whole call is refused instead. */
export const MAX_NAMES = 200_000;
export const MAX_DEPTH = 64;
/** Every one is a mount, and the kernel's list of mounts is read for each. */
export const MAX_GUARDED = 512;

/** Each is an empty file on the host while a sandbox lives, and a mount in every one. */
const MAX_MASKS_BELOW = 128;

/** Written by package managers, read by them alone, and of hundred thousands of files. */
const NOT_ENTERED = 'node_modules';

/** Contract: the same tree gives the same answer. Throws SANDBOX_SCOPE_DENIED. */
export function scan(workspace: number, options: ScanOptions): Scanned {
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const found = new Findings(workspace, options);
    found.enter('', '', 0);
    found.addLinkedSecrets();
    found.addMissing();
    if (!found.hasMoved) return { guarded: found.list(), weaknesses: found.weaknesses };
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
  readonly #mostNames: number;
  readonly #guarded = new Map<string, Guarded['how']>();
  readonly #linked = new Set<string>();
  /** Where people start programs: the top, and every repository below. With the names in each. */
  readonly #projects = new Map<string, ReadonlySet<string>>();
  readonly #writable = new Map<string, boolean>();
  readonly weaknesses: string[] = [];
  #names = 0;
  hasMoved = false;

  constructor(root: number, { rules, ours, mostNames = MAX_NAMES }: ScanOptions) {
    this.#root = root;
    this.#rules = rules;
    this.#ours = ours;
    this.#mostNames = mostNames;
  }

  enter(folder: string, name: string, depth: number): void {
    const entries = this.#count(this.#read(folder), depth);
    if (folder === '' || entries.some((entry) => isGit(entry.name))) {
      this.#projects.set(folder, new Set(entries.map((entry) => entry.name)));
    }
    if (isRepository(entries)) return this.#guardRepository(folder);
    for (const entry of entries) this.#judge(folder, name, { entry, depth });
  }

  #count(entries: readonly Dirent[], depth: number): readonly Dirent[] {
    if (depth > MAX_DEPTH) throw tooLarge(`is deeper than ${MAX_DEPTH} folders`);
    this.#names += entries.length;
    if (this.#names > this.#mostNames) throw tooLarge(`holds more than ${this.#mostNames} names`);
    return entries;
  }

  #judge(folder: string, parent: string, at: { entry: Dirent; depth: number }): void {
    const { entry, depth } = at;
    const path = join(folder, entry.name);
    if (this.#ours.has(path)) return;
    const isExcepted = this.#rules.exceptions.includes(entry.name);
    if (!isExcepted && isSecret(entry.name)) return this.#seal(path, entry);
    if (isGit(entry.name) || (!isExcepted && isObeyed(parent, entry.name))) {
      if (entry.isSymbolicLink()) return this.#meetLink(path, entry.name);
      this.#guarded.set(path, 'read-only');
    }
    // A repository is as its tools left it; in everything else secrets are looked for.
    if (isGit(entry.name)) return;
    if (entry.isDirectory() && entry.name !== NOT_ENTERED) this.enter(path, entry.name, depth + 1);
  }

  /** Nothing can be mounted on a link. What only agents obey is often one, and is no code. */
  #meetLink(path: string, name: string): void {
    if (!isInstruction(name)) throw linked(path);
    this.weaknesses.push(`${quote(path)} is a link, and a link cannot be guarded`);
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

  /** Where people start programs. Elsewhere there is no end to what is missing. */
  addMissing(): void {
    const deeper = [...this.#projects.keys()].filter((folder) => folder !== '');
    this.#maskProject('');
    const inHome = (name: string) => this.#look('', name) !== undefined;
    // Shells look for theirs in a home, and this looks like one.
    if (SHELL_FILES.some(inHome)) this.#guardAll('', OBEYED.home);
    this.#maskRepository();
    const before = this.#guarded.size;
    const left = deeper.toSorted().filter((folder) => {
      const hasRoom = this.#guarded.size - before < MAX_MASKS_BELOW;
      if (hasRoom) this.#maskProject(folder);
      return !hasRoom;
    });
    if (left.length > 0) this.weaknesses.push(unmasked(left));
  }

  #maskProject(folder: string): void {
    this.#guardAll(folder, OBEYED.project);
  }

  #maskRepository(): void {
    const git = this.#look('', '.git');
    const isReal = git?.isDirectory() === false || this.#look('', '.git/HEAD') !== undefined;
    if (git !== undefined && isReal) return;
    // Without `HEAD` the folder itself cannot be made a repository, whose hooks somebody would run.
    this.#guardAll('', { files: ['HEAD'], folders: ['.git'] });
  }

  #guardAll(folder: string, names: Names): void {
    for (const name of names.files) this.#guardOrMask(folder, name, 'missing-file');
    for (const name of names.folders) this.#guardOrMask(folder, name, 'missing-folder');
  }

  /** A name of several parts is masked at the first that is missing. */
  #guardOrMask(folder: string, wanted: string, missing: 'missing-file' | 'missing-folder'): void {
    const names = wanted.split('/');
    for (const [place, name] of names.entries()) {
      const inside = names.slice(0, place + 1).join('/');
      const here = join(folder, inside);
      if (this.#guarded.get(here) === 'read-only' || this.#rules.exceptions.includes(name)) return;
      const stat = this.#look(folder, inside);
      const isLast = place === names.length - 1;
      // Told of already, if it is one that may be.
      if (stat?.isSymbolicLink() === true && isInstruction(wanted)) return;
      if (stat?.isSymbolicLink() === true) throw linked(here);
      if (stat === undefined) return this.#mask(here, isLast ? missing : 'missing-folder');
      if (isLast) this.#guarded.set(here, 'read-only');
      else if (!stat.isDirectory()) return;
      // Whoever made it, perhaps for a mask, must be able to remove it: nothing of ours is put into it.
      else if (this.#read(here).length === 0) return void this.#guarded.set(here, 'read-only');
    }
  }

  #mask(path: string, how: 'missing-file' | 'missing-folder'): void {
    if (this.#canBeMadeIn(dirname(path))) this.#guarded.set(path, how);
  }

  /** Where nobody can make a name, none has to be masked, and none could be. */
  #canBeMadeIn(folder: string): boolean {
    const known = this.#writable.get(folder);
    if (known !== undefined) return known;
    const place = below(this.#root, folder);
    const isWritable = canWrite(place);
    // Its owner can take the write protection off from inside.
    if (!isWritable && isOwn(place)) throw notWritable(folder);
    this.#writable.set(folder, isWritable);
    return isWritable;
  }

  /** A second name of a secret hides nothing by the first one's mask. */
  addLinkedSecrets(): void {
    this.#names = 0;
    if (this.#linked.size > 0) this.#findLinks('', 0);
  }

  #findLinks(folder: string, depth: number): void {
    for (const entry of this.#count(this.#read(folder), depth)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        this.#findLinks(path, depth + 1);
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

  /** Contract: `folder` is a project; of what is not in it nobody has to be asked. */
  #look(folder: string, inside: string): Stats | undefined {
    const [first = ''] = inside.split('/', 1);
    const path = join(folder, inside);
    if (this.#ours.has(path) || this.#projects.get(folder)?.has(first) !== true) return undefined;
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
      if (folder.includes(UNREADABLE)) throw noText(folder);
      // What we cannot read, whoever runs as us cannot read either; all else is not where it was.
      if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) {
        this.hasMoved = true;
      }
      return [];
    }
  }
}

interface Names {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** What stands for bytes that are no text. */
const UNREADABLE = '\u{fffd}';
const MAX_TOLD = 3;

function unmasked(folders: readonly string[]): string {
  const told = folders.slice(0, MAX_TOLD).map(quote).join(', ');
  const more = folders.length > MAX_TOLD ? ` and ${folders.length - MAX_TOLD} more` : '';
  return `names that other programs obey can be made in ${told}${more}: there are too many repositories to mask what is missing in each`;
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function identity({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function canWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Contract: of a folder that cannot be written. Root is stopped by a volume alone, which nobody inside changes. */
function isOwn(place: string): boolean {
  const user = process.geteuid?.();
  return user !== 0 && statSync(place).uid === user;
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
    { help: 'replace the link by what it leads to, or choose another folder' },
  );
}

function noText(path: string): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the workspace holds a folder whose name is no text: ${quote(path)}`,
    { help: 'rename it in UTF-8, remove it, or choose another folder' },
  );
}

function notWritable(folder: string): PalyraError {
  const what = folder === '.' ? 'the workspace' : `the folder ${quote(folder)} of the workspace`;
  return new PalyraError('SANDBOX_SCOPE_DENIED', `${what} is yours and write-protected`, {
    help: 'allow it with `chmod u+w`: names in it are guarded by masks, which need a place',
  });
}
