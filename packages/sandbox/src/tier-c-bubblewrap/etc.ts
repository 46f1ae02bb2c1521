import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

/** The `/etc` of sandboxes: one mount, and one more for each thing that could not be copied into it. */
export interface Etc {
  readonly folder: string;
  /** Paths of the machine, each with an empty place of the same name in `folder`. */
  readonly bound: readonly string[];
}

export interface EtcOptions {
  /** Ours alone. */
  readonly folder: string;
  /** What is the same on every machine, by its name in `/etc`. */
  readonly files: Readonly<Record<string, string>>;
  /** Where the machine has its own. */
  readonly from: string;
  /** What is the machine's own, by its path. */
  readonly wanted: readonly string[];
}

const MAX_NAMES = 8192;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 4;
/** Old ones stay, since sandboxes may still have them; after so many changes nothing is copied any more. */
const MAX_COPIES = 64;
/** Whoever made a file unreadable for others did not mean it for sandboxes. */
const READ_BY_ALL = 0o004;

/** Most of `/etc/alternatives` leads to manuals; no program needs them, and each link takes its time. */
const MANUALS = '/man/';

/**
 * Contract: looks each time whether anything that was copied is another by now, and copies again then:
 * a sandbox that is made now has what the machine has now.
 */
export class EtcShelf {
  readonly #options: EtcOptions;
  #copies = 0;
  #last: { readonly etc: Etc; readonly seen: ReadonlyMap<string, string> } | undefined;

  constructor(options: EtcOptions) {
    this.#options = options;
  }

  current(): Etc {
    const last = this.#last;
    if (last !== undefined && [...last.seen].every(([path, mark]) => markOf(path) === mark)) {
      return last.etc;
    }
    this.#last = this.#make();
    return this.#last.etc;
  }

  #make() {
    const { files, from, wanted } = this.#options;
    this.#copies += 1;
    const folder = join(this.#options.folder, `${Math.min(this.#copies, MAX_COPIES)}`);
    makeFolder(join(folder, 'ssl'));
    for (const path of [this.#options.folder, folder, join(folder, 'ssl')]) chmodSync(path, 0o755);
    for (const [name, text] of Object.entries(files)) makeFile(join(folder, name), text);
    const seen = new Map<string, string>();
    const bound: string[] = [];
    for (const path of wanted) {
      const place = join(folder, relative(from, path));
      if (this.#copies < MAX_COPIES && new Copier(seen).copied(path, place)) continue;
      makePlace(path, place);
      bound.push(path);
    }
    return { etc: { folder, bound }, seen };
  }
}

/** Copies one file or folder, within bounds. */
class Copier {
  readonly #seen: Map<string, string>;
  #names = 0;
  #bytes = 0;

  /** Contract: everything that was looked at is added to `seen`, as it was before it was copied. */
  constructor(seen: Map<string, string>) {
    this.#seen = seen;
  }

  /** Contract: `false`, and nothing there, when it is too much or of a kind that cannot be copied. */
  copied(path: string, place: string): boolean {
    try {
      if (this.#copy(path, place, 0)) return true;
    } catch {
      // It changes just now, or may not be read: then the kernel decides, as with any mount.
    }
    rmSync(place, { recursive: true, force: true });
    return false;
  }

  #copy(path: string, place: string, depth: number): boolean {
    this.#seen.set(path, markOf(path));
    const stat = statSync(path);
    if (stat.isDirectory()) return depth < MAX_DEPTH && this.#copyFolder(path, place, depth);
    this.#bytes += stat.size;
    if (!stat.isFile() || (stat.mode & READ_BY_ALL) === 0 || this.#bytes > MAX_BYTES) return false;
    copyFileSync(path, place);
    chmodSync(place, 0o644);
    return true;
  }

  #copyFolder(path: string, place: string, depth: number): boolean {
    makeFolder(place);
    const entries = readdirSync(path, { withFileTypes: true });
    this.#names += entries.length;
    if (this.#names > MAX_NAMES) return false;
    return entries.every((entry) => {
      const [from, to] = [join(path, entry.name), join(place, entry.name)];
      if (!entry.isSymbolicLink()) return this.#copy(from, to, depth + 1);
      const target = readlinkSync(from);
      if (!target.includes(MANUALS)) symlinkSync(target, to);
      return true;
    });
  }
}

/** Of what it is, or leads to: no two states of it have the same. */
function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.ctimeMs} ${stat.size}`;
}

function makePlace(path: string, place: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) makeFolder(place);
  else makeFile(place, '');
}

// The rights are set once more: a strict mask of the process must not hide `/etc` from a sandbox.
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

export function makeFile(path: string, text: string, mode = 0o644): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}
