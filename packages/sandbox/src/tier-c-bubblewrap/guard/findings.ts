import type { Dirent } from 'node:fs';
import { lstatSync, statSync } from 'node:fs';
import { quote } from '@palyra/kernel';
import { below } from '../workspace.ts';
import { HardLinks } from './hard-links.ts';
import { isGit, isInstruction, isObeyed, isRepository, isSecret } from './rules.ts';
import type { GuardRules } from './rules.ts';
import { isRepositoryItself, linked, noText } from './scan-refusals.ts';
import type { Guarded, ScanOptions } from './scan.ts';
import { UNREADABLE, type Walk, inside } from './walk.ts';

/** Written by package managers, read by them alone, and of hundred thousands of files. */
const NOT_ENTERED = 'node_modules';

/** What the names in a folder say, whatever they stand for. */
interface Reading {
  readonly isProject: boolean;
  readonly isStore: boolean;
  /** Folders, and what is guarded by its name. */
  readonly notable: readonly Dirent[];
}

/** A list that nobody had to make anew need not be read anew. */
const readings = new WeakMap<readonly Dirent[], Reading>();

function readList(entries: readonly Dirent[], folderName: string): Reading {
  const known = readings.get(entries);
  if (known !== undefined) return known;
  const isNotable = (entry: Dirent) =>
    entry.isDirectory() ||
    isGit(entry.name) ||
    isSecret(entry.name) ||
    isObeyed(folderName, entry.name);
  const names = entries.map((entry) => entry.name);
  const reading = {
    isProject: names.some(isGit),
    isStore: isRepository(names),
    notable: entries.filter(isNotable),
  };
  readings.set(entries, reading);
  return reading;
}

/** What of a workspace is to be guarded, and where people start programs in it. */
export class Findings {
  readonly #walk: Walk;
  readonly #rules: GuardRules;
  readonly #ours: ScanOptions['ours'];
  readonly guarded = new Map<string, Guarded['how']>();
  /** The top, and every repository below, with the names in each. */
  readonly projects = new Map<string, ReadonlySet<string>>();
  readonly weaknesses: string[] = [];
  readonly #overlooked: string[] = [];
  readonly #links: HardLinks;

  constructor(walk: Walk, { rules, ours }: Pick<ScanOptions, 'rules' | 'ours'>) {
    this.#walk = walk;
    this.#links = new HardLinks(walk, this.guarded);
    this.#rules = rules;
    this.#ours = ours;
  }

  /** Whether something was taken for ours that is somebody's by now: nobody looked for secrets in it. */
  get hasMissed(): boolean {
    return this.#overlooked.some((path) => !this.#ours.has(path));
  }

  /** Contract: once; then everything that is there is known, but for second names of files. */
  async gather(): Promise<void> {
    await this.#enter('', '', 0);
  }

  async #enter(folder: string, name: string, depth: number): Promise<void> {
    const entries = await this.#walk.list(folder, depth);
    const { isProject, isStore, notable } = readList(entries, name);
    if (folder === '' || isProject) {
      this.projects.set(folder, new Set(entries.map((entry) => entry.name)));
    }
    if (isStore) return this.#guardRepository(folder);
    for (const entry of notable) {
      const path = inside(folder, entry.name);
      if (this.#judge(path, name, entry)) await this.#enter(path, entry.name, depth + 1);
    }
  }

  /** Contract: whether to look at what is in it. */
  #judge(path: string, parent: string, entry: Dirent): boolean {
    if (this.#ours.has(path)) {
      this.#overlooked.push(path);
      return false;
    }
    const isExcepted = this.#rules.exceptions.includes(entry.name);
    if (!isExcepted && isSecret(entry.name)) {
      this.#seal(path, entry);
      return false;
    }
    if (isGit(entry.name) || (!isExcepted && isObeyed(parent, entry.name))) {
      if (entry.isSymbolicLink()) {
        this.#meetLink(path, entry.name);
        return false;
      }
      // Whoever reads a pipe hears what is written to it, also where nothing can be changed.
      this.guarded.set(path, entry.isFile() || entry.isDirectory() ? 'read-only' : 'sealed-file');
    }
    // A repository is as its tools left it; in everything else secrets are looked for.
    return !isGit(entry.name) && entry.isDirectory() && entry.name !== NOT_ENTERED;
  }

  /** Nothing can be mounted on a link. What only agents obey is often one, and is no code. */
  #meetLink(path: string, name: string): void {
    if (!isInstruction(name)) throw linked(path);
    this.weaknesses.push(`${quote(path)} is a link, and a link cannot be guarded`);
  }

  #seal(path: string, entry: Dirent): void {
    // Nobody can ask for it by such a name: what is found by it, if anything, is another.
    if (path.includes(UNREADABLE)) throw noText(path, entry.isDirectory() ? 'folder' : 'file');
    if (entry.isDirectory()) {
      this.guarded.set(path, 'sealed-folder');
      return;
    }
    // Nobody hears of what a link leads to, or will lead to once it is there.
    if (entry.isSymbolicLink()) this.#walk.lookElsewhere();
    // What a link leads to, if it is in here, is found by what it is; elsewhere it is not to be seen.
    const look = entry.isSymbolicLink() ? statSync : lstatSync;
    const stat = look(below(this.#walk.root, path), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) throw linked(path);
    if (entry.isSymbolicLink()) this.#links.meetTarget(stat);
    else this.guarded.set(path, 'sealed-file');
  }

  /** A bare one, or one that a worktree or a submodule refers to: as good as a `.git`. */
  #guardRepository(folder: string): void {
    if (folder === '') throw isRepositoryItself();
    this.guarded.set(folder, 'read-only');
  }

  /** Contract: after `gather`. */
  async gatherLinked(): Promise<void> {
    await this.#links.gather();
  }
}
