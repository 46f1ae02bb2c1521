import {
  type Dirent,
  type Stats,
  closeSync,
  fstatSync,
  lstatSync,
  opendirSync,
  readdirSync,
} from 'node:fs';
import { isOutOfDescriptors } from '../../out-of-descriptors.ts';
import { below, openFolder } from '../workspace.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { FolderLists } from './folder-lists.ts';
import { noText, tooLarge } from './scan-refusals.ts';

/** More than this is not looked through before every command; the whole call is refused instead. */
export const MAX_NAMES = 200_000;
export const MAX_DEPTH = 64;

/** After so many names everybody else has a turn: a large workspace holds up no other command. */
const NAMES_A_TURN = 1000;
/** A folder whose own list is longer is read in portions. */
const LONG_LIST_BYTES = 64 * 1024;

/** What stands for bytes that are no text. */
export const UNREADABLE = '\u{fffd}';

export function inside(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export interface WalkOptions {
  readonly mostNames?: number | undefined;
  readonly watch?: ChangeWatch | undefined;
  readonly lists?: FolderLists | undefined;
}

/** Reads the folders of a workspace, one after the other, within bounds. */
export class Walk {
  readonly root: number;
  readonly #mostNames: number;
  readonly #watch: ChangeWatch | undefined;
  readonly #lists: FolderLists | undefined;
  /** What others are told of meanwhile may have become of a folder above: nothing is kept from then on. */
  readonly #generation: number;
  #device: number | undefined;
  #names = 0;
  #sinceTurn = 0;
  /** Whether a folder was gone between its name and its content: it may have been renamed, with what is in it. */
  hasMoved = false;
  /** Whether changes of what was listed last are heard of. */
  #isHeard = false;

  /** Contract: `watch` is shown all that is looked at. */
  constructor(root: number, { mostNames = MAX_NAMES, watch, lists }: WalkOptions = {}) {
    this.root = root;
    this.#mostNames = mostNames;
    this.#watch = watch;
    this.#lists = lists;
    this.#generation = lists?.generation ?? 0;
  }

  /** Through all of it once more. */
  again(): void {
    this.#names = 0;
  }

  /** Contract: rejects with SANDBOX_SCOPE_DENIED for what is too much. */
  async list(folder: string, depth: number): Promise<readonly Dirent[]> {
    if (depth > MAX_DEPTH) throw tooLarge(`is deeper than ${MAX_DEPTH} folders`);
    const known = this.#lists?.of(folder);
    if (known !== undefined) {
      await this.#count(known.length);
      return known;
    }
    this.#isHeard = false;
    const entries: Dirent[] = [];
    for (const portion of this.#portions(folder)) {
      entries.push(...portion);
      await this.#count(portion.length);
    }
    if (this.#isHeard) this.#lists?.keep(folder, entries, this.#generation);
    return entries;
  }

  isEmpty(folder: string): boolean {
    const [first = []] = this.#portions(folder);
    return first.length === 0;
  }

  /** Itself, and not what it points to. */
  look(path: string): Stats | undefined {
    const place = below(this.root, path);
    const number = this.#watch?.show(place, 'file');
    const stat = lstatSync(place, { throwIfNoEntry: false });
    // One that is not there is known by the names in its folder.
    if (stat !== undefined && number === undefined) this.#watch?.goDeaf();
    return stat;
  }

  /** Names in them count, although nobody lists them. Contract: those above first; who is missing is known by them. */
  watchNames(...folders: readonly string[]): void {
    for (const folder of folders) {
      const number = this.#watch?.show(`${below(this.root, folder)}/.`, 'folder');
      if (number === undefined && this.look(folder) !== undefined) this.#watch?.goDeaf();
    }
  }

  /** Something counts of which the watch cannot hear. */
  lookElsewhere(): void {
    this.#watch?.goDeaf();
  }

  async #count(names: number): Promise<void> {
    this.#names += names;
    this.#sinceTurn += names;
    if (this.#names > this.#mostNames) throw tooLarge(`holds more than ${this.#mostNames} names`);
    if (this.#sinceTurn < NAMES_A_TURN) return;
    this.#sinceTurn = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  *#portions(folder: string): Generator<readonly Dirent[], void> {
    try {
      if (folder === '') return yield* this.#portionsOf(this.root, folder);
      const descriptor = openFolder(this.root, folder);
      try {
        yield* this.#portionsOf(descriptor, folder);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (folder.includes(UNREADABLE)) throw noText(folder, 'folder');
      // What we cannot read, whoever runs as us cannot read either; all else is not where it was.
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (isOutOfDescriptors(error)) throw error;
      if (error.code !== 'EACCES') this.hasMoved = true;
    }
  }

  *#portionsOf(descriptor: number, folder: string): Generator<readonly Dirent[], void> {
    const place = below(descriptor, '.');
    const { dev, size } = fstatSync(descriptor);
    this.#show(place, folder, dev);
    if (size <= LONG_LIST_BYTES) {
      yield readdirSync(place, { withFileTypes: true });
      return;
    }
    yield* longPortionsOf(place);
  }

  /** What is mounted below may be of any kind. */
  #show(place: string, folder: string, device: number): void {
    this.#device ??= device;
    const number = this.#device === device ? this.#watch?.show(place, 'folder') : undefined;
    if (number === undefined) return this.#watch?.goDeaf();
    this.#lists?.show(folder, number);
    this.#isHeard = true;
  }
}

function* longPortionsOf(place: string): Generator<readonly Dirent[], void> {
  using folder = opendirSync(place, { bufferSize: NAMES_A_TURN });
  for (let portion: Dirent[] = []; ; portion = []) {
    while (portion.length < NAMES_A_TURN) {
      const entry = folder.readSync();
      if (entry === null) return void (yield portion);
      portion.push(entry);
    }
    yield portion;
  }
}
