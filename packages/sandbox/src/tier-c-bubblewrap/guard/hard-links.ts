import type { Dirent, Stats } from 'node:fs';
import { isRepository } from './rules.ts';
import { noText } from './scan-refusals.ts';
import type { Guarded } from './scan.ts';
import { UNREADABLE, type Walk, inside } from './walk.ts';

/** Of a repository: by the thousand, obeyed by nobody, and shared by second names with the clones of a machine. */
const STORED: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'lfs']);
/** But for these, which name further folders that objects are taken from. */
const ALTERNATES = ['objects/info/alternates', 'objects/info/http-alternates'] as const;

/** Where these would be made; from the top, so that whatever comes is heard of. */
const ALTERNATES_IN = ['objects', 'objects/info'] as const;

/** What is done with a file under each of its names. */
type FileGuard = Extract<Guarded['how'], 'sealed-file' | 'read-only'>;

interface Known {
  /** What is secret under one name is so under all. */
  readonly how: FileGuard;
  /** How many of its names are not guarded like that, as far as anybody has come across them. */
  readonly open: number;
}

/**
 * Files with several names: what lies on one name, or on a folder above it, neither hides nor protects the
 * file under the others.
 */
export class HardLinks {
  readonly #walk: Walk;
  readonly #guarded: Map<string, Guarded['how']>;
  readonly #known = new Map<string, Known>();

  /** Contract: finds what is guarded by its own name there, and adds the other names. */
  constructor(walk: Walk, guarded: Map<string, Guarded['how']>) {
    this.#walk = walk;
    this.#guarded = guarded;
  }

  /** What a link of a secret name leads to: secret under all of its own. */
  meetTarget(stat: Stats): void {
    this.#known.set(identity(stat), { how: 'sealed-file', open: stat.nlink });
  }

  /** Contract: once, when everything is known that is guarded by its own name. Rejects as the walk does. */
  async gather(): Promise<void> {
    this.#walk.again();
    for (const [path, how] of this.#guarded) {
      await this.#meet(path, how === 'read-only' ? how : 'sealed-file');
    }
    if (![...this.#known.values()].some(({ open }) => open > 0)) return;
    this.#walk.again();
    await this.#find('', 'as it is');
  }

  async #meet(path: string, how: FileGuard): Promise<void> {
    const stat = this.#walk.look(path);
    if (stat?.isDirectory() === true) await this.#meetAllIn(path, how);
    else if (stat?.isFile() === true && stat.nlink > 1) this.#add(stat, how);
  }

  async #meetAllIn(folder: string, how: FileGuard): Promise<void> {
    const entries = await this.#walk.list(folder, depthOf(folder));
    const isStore = isRepository(entries.map(({ name }) => name));
    const isLeftOut = ({ name }: Dirent) =>
      this.#guarded.has(inside(folder, name)) || (isStore && STORED.has(name));
    const names = entries.filter((entry) => !isLeftOut(entry)).map(({ name }) => name);
    if (isStore) this.#walk.watchNames(...ALTERNATES_IN.map((name) => inside(folder, name)));
    for (const name of isStore ? [...names, ...ALTERNATES] : names) {
      await this.#meet(inside(folder, name), how);
    }
  }

  #add(stat: Stats, how: FileGuard): void {
    const key = identity(stat);
    const before = this.#known.get(key);
    if (before?.how === 'sealed-file' && how === 'read-only') return;
    // Those that were only write-protected count anew where one is secret.
    const open = before?.how === how ? before.open : stat.nlink;
    this.#known.set(key, { how, open: open - 1 });
  }

  async #find(folder: string, above: 'as it is' | 'read-only'): Promise<void> {
    for (const entry of await this.#walk.list(folder, depthOf(folder))) {
      const path = inside(folder, entry.name);
      const lies = this.#guarded.get(path);
      if (entry.isFile()) this.#guard(path, lies === undefined ? above : 'read-only');
      // In what looks empty nothing is found under any name.
      else if (entry.isDirectory() && lies !== 'sealed-folder') {
        await this.#find(path, lies === 'read-only' ? lies : above);
      }
    }
  }

  #guard(path: string, now: 'as it is' | 'read-only'): void {
    // Nobody can ask for it by a name that is no text, and still it may be one of them.
    if (path.includes(UNREADABLE)) throw noText(path, 'file');
    const stat = this.#walk.look(path);
    const how = stat && this.#known.get(identity(stat))?.how;
    if (how !== undefined && how !== now) this.#guarded.set(path, how);
  }
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function identity({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
