import {
  type Stats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFile,
} from 'node:fs';
import { promisify } from 'node:util';
import type { ToolHands } from '../hands.ts';
import { draftName, removeAbandoned } from './drafts.ts';
import { type WritableFolder, openToWrite, ownerFor } from './folders.ts';
import { isMountPointAt } from './mount-points.ts';
import { type OpenWorkspace, below, identityOf } from './open-workspace.ts';
import { type OpenedFolder, glanceAt, openFolder, pathIn } from './place.ts';
import { appeared, changed, explain } from './refusals.ts';
import { type Seen, folderNumbers, isUnchanged } from './seen.ts';

export interface Change {
  /** Each a name below the workspace that may be written. */
  readonly names: readonly string[];
  readonly before: Seen;
  readonly after: After;
  readonly folders: 'existing' | 'create';
}

export type After =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode?: number };

const USUAL_MODE = 0o644;
export const RIGHTS = 0o777;

/** Never the bits that lend the owner's rights to whoever runs it. */
export function modeAfter(before: Seen, { mode }: After & { kind: 'file' }): number {
  const kept = before.kind === 'file' ? before.stats.mode : USUAL_MODE;
  return (mode ?? kept) & RIGHTS;
}

const write = promisify(writeFile);
const sync = promisify(fsync);

/**
 * A change that lies ready beside its file. `commit` is one step of the kernel, and until the change
 * is disposed of `rollBack` is one, too.
 */
export class StagedChange implements Disposable {
  readonly #workspace: OpenWorkspace;
  readonly #change: Change;
  readonly #callId: string;
  readonly #writable: WritableFolder;
  readonly #name: string;
  #draft: string | undefined;
  #backup: string | undefined;
  /** What the name, and the draft, have to stand for when the change is made. */
  #expected: Stats | undefined;
  #drafted: Stats | undefined;
  #isCommitted = false;

  private constructor(workspace: OpenWorkspace, change: Change, callId: string) {
    this.#callId = callId;
    this.#workspace = workspace;
    this.#change = change;
    this.#name = change.names.at(-1) ?? '.';
    this.#expected = change.before.kind === 'file' ? change.before.stats : undefined;
    this.#writable = openToWrite(workspace, change.names.slice(0, -1), change.folders);
  }

  /** Contract: throws PalyraErrors; nothing is left then. */
  static async prepare(
    { workspace, callId }: Pick<ToolHands, 'workspace' | 'callId'>,
    change: Change,
    backup: 'none' | 'kept',
  ): Promise<StagedChange> {
    const staged = new StagedChange(workspace, change, callId);
    try {
      if (change.after.kind === 'file') await staged.#writeDraft(change.after);
      if (backup === 'kept' && change.before.kind === 'file') staged.#keepBackup();
      return staged;
    } catch (error) {
      const explained = explain(error, staged.#path);
      try {
        staged.rollBack();
      } finally {
        staged[Symbol.dispose]();
      }
      throw explained;
    }
  }

  /** Contract: throws CONFLICT when the file, or the folder that it is in, is not the one that was read. */
  check(): void {
    const { names, before } = this.#change;
    const way = folderNumbers(this.#workspace, names.slice(0, -1));
    if (before.kind === 'absent') this.#expected = this.#mountPoint();
    using again = openFolder(this.#workspace, names.slice(0, -1));
    const isSame =
      identityOf(again.stats) === identityOf(this.#folder.stats) &&
      before.folders.every((number, depth) => number === way[depth]);
    if (!isSame || !isUnchanged(this.#folder, this.#name, this.#expected)) {
      throw changed(this.#path);
    }
    if (this.#draft === undefined) return;
    if (!isUnchanged(this.#folder, this.#draft, this.#drafted)) throw changed(this.#path);
  }

  /** Contract: without a pause after `check`. */
  commit(): void {
    try {
      if (this.#draft === undefined) unlinkSync(this.#at(this.#name));
      else if (this.#expected !== undefined) {
        renameSync(this.#at(this.#draft), this.#at(this.#name));
        this.#draft = undefined;
      } else linkSync(this.#at(this.#draft), this.#at(this.#name));
      this.#isCommitted = true;
    } catch (error) {
      throw isTaken(error) ? appeared(this.#path, error) : explain(error, this.#path);
    }
  }

  /** Contract: also for one that was not committed; then it only takes back the folders it made. */
  rollBack(): void {
    if (this.#isCommitted) {
      if (this.#change.before.kind === 'absent') unlinkSync(this.#at(this.#name));
      else if (this.#backup !== undefined) {
        renameSync(this.#at(this.#backup), this.#at(this.#name));
        this.#backup = undefined;
      }
    }
    this.#dropDrafts();
    this.#writable.removeMade();
  }

  /** The new name is on the disk. */
  async settle(): Promise<void> {
    this.#dropDrafts();
    const descriptor = openSync(this.#at('.'), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  get folderIdentity(): string {
    return identityOf(this.#folder.stats);
  }

  /** What a crash has left beside the file, so long ago. Contract: after `settle` of the whole call. */
  removeAbandoned(draftMs: number): void {
    removeAbandoned(this.#workspace, this.#folder, draftMs);
  }

  [Symbol.dispose](): void {
    this.#writable[Symbol.dispose]();
  }

  get #folder(): OpenedFolder {
    return this.#writable.folder;
  }

  get #path(): string {
    return pathIn(this.#folder, this.#name);
  }

  #at(name: string): string {
    return below(this.#folder.descriptor, name);
  }

  /** Where nothing is for everybody else, there may be what a mask lies on: a new file takes its place. */
  #mountPoint(): Stats | undefined {
    if (!isMountPointAt(this.#workspace, this.#folder, this.#name)) return undefined;
    return glanceAt(this.#folder, this.#name);
  }

  async #writeDraft(after: After & { kind: 'file' }): Promise<void> {
    const { before } = this.#change;
    const name = draftName(this.#callId);
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
    const descriptor = openSync(this.#at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    this.#draft = name;
    try {
      await write(descriptor, after.bytes);
      const owner = ownerFor(this.#workspace);
      if (owner) fchownSync(descriptor, owner.uid, groupOf(before, owner));
      fchmodSync(descriptor, modeAfter(before, after));
      await sync(descriptor);
      this.#drafted = fstatSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** A second name for the old file: nothing has to be written to bring it back. */
  #keepBackup(): void {
    if (!isUnchanged(this.#folder, this.#name, this.#expected)) throw changed(this.#path);
    const name = draftName(this.#callId);
    linkSync(this.#at(this.#name), this.#at(name));
    this.#backup = name;
    // The second name is a change of its own in the eyes of the file system.
    const now = lstatSync(this.#at(name));
    if (now.ino !== this.#expected?.ino) throw changed(this.#path);
    this.#expected = now;
  }

  #dropDrafts(): void {
    for (const name of [this.#draft, this.#backup]) {
      if (name !== undefined) rmSync(this.#at(name), { force: true });
    }
    this.#draft = undefined;
    this.#backup = undefined;
  }
}

/** The name was free a moment ago. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function groupOf(before: Seen, owner: { readonly uid: number; readonly gid: number }): number {
  const isTheirs = before.kind === 'file' && before.stats.uid === owner.uid;
  return isTheirs ? before.stats.gid : owner.gid;
}
