import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { PalyraError, quote } from '@palyra/kernel';
import {
  addPrivateFile,
  hasPrivateFile,
  makePrivateDirectory,
  readPrivateFile,
  removePrivateFile,
  renameDurably,
  replacePrivateFile,
  systemCode,
} from '@palyra/private-files';
import { type DeviceIdentity, readIdentity, writeIdentity } from './device-identity.ts';
import { guarded } from './file-fault.ts';

const LIMIT_BYTES = 256 * 1024;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;
const LOCK_POLL_MS = 25;
const LOCK_PATIENCE_MS = 30_000;

/** What lies there for one gateway. */
export type Kept =
  | { readonly at: 'none' }
  | { readonly at: 'whole'; readonly identity: DeviceIdentity }
  | { readonly at: 'damaged' };

/**
 * What this device is to each gateway, one file each: `gateways/<name>.json`. INVARIANT: key and
 * certificate are in one file that is replaced as a whole, so no crash can leave a pair that does
 * not fit.
 */
export class DeviceStore {
  readonly #folder: string;

  constructor(gatewaysDir: string) {
    this.#folder = gatewaysDir;
  }

  /** Contract: `undefined` when this device is not paired with it. */
  async load(gateway: string): Promise<DeviceIdentity | undefined> {
    const kept = this.look(gateway);
    switch (kept.at) {
      case 'none':
        return undefined;
      case 'whole':
        return kept.identity;
      case 'damaged':
        throw new PalyraError(
          'NOT_PAIRED',
          `what this device knows about \`${gateway}\` is damaged`,
          { help: `move \`${this.pathOf(gateway)}\` away and pair again` },
        );
    }
  }

  /** Contract: a file that is not safe to read is no damaged one, but HOME_UNSAFE. */
  look(gateway: string): Kept {
    const path = this.pathOf(gateway);
    const text = guarded(path, () => readPrivateFile(path, LIMIT_BYTES));
    if (text === undefined) return { at: 'none' };
    const identity = readIdentity(text);
    return identity?.gateway === gateway ? { at: 'whole', identity } : { at: 'damaged' };
  }

  /** Keeps a damaged file for whoever wants to look at it; only the last one. Gives its new path. */
  setAside(gateway: string): string {
    const path = this.pathOf(gateway);
    const aside = `${path}.damaged`;
    guarded(path, () => renameDurably(path, aside));
    return aside;
  }

  async save(identity: DeviceIdentity): Promise<void> {
    const path = this.pathOf(identity.gateway);
    this.#makeFolder();
    guarded(path, () => replacePrivateFile(path, writeIdentity(identity)));
  }

  async forget(gateway: string): Promise<void> {
    const path = this.pathOf(gateway);
    guarded(path, () => removePrivateFile(path));
  }

  /** Every gateway that this device is paired with, in order of the alphabet. */
  async names(): Promise<readonly string[]> {
    return guarded(this.#folder, () => filesIn(this.#folder))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .filter((name) => NAME.test(name))
      .toSorted();
  }

  /**
   * Keeps every other process of this user from enrolling or renewing at the same time: two that
   * enrol as the same device would shut one another out. The system lets go of it with the process,
   * however that ends.
   */
  async lock(signal?: AbortSignal): Promise<Disposable> {
    this.#makeFolder();
    const sqlite = await import('node:sqlite');
    const file = join(this.#folder, 'lock.sqlite');
    // SQLite would make it readable by others. Once it is there, nobody but SQLite may open it:
    // closing it again would take the locks away that SQLite holds in this process.
    guarded(file, () => {
      if (!hasPrivateFile(file)) addPrivateFile(file, '');
    });
    const deadline = AbortSignal.timeout(LOCK_PATIENCE_MS);
    for (;;) {
      // A full disk shows here first: SQLite writes a journal beside the lock.
      const held = guarded(file, () => hold(new sqlite.DatabaseSync(file)));
      if (held !== undefined) return held;
      if (deadline.aborted) throw heldTooLong();
      await delay(LOCK_POLL_MS, undefined, { signal });
    }
  }

  #makeFolder(): void {
    guarded(this.#folder, () => makePrivateDirectory(this.#folder));
  }

  /** Where what is known about it lies. */
  pathOf(gateway: string): string {
    return join(this.#folder, `${gatewayName(gateway)}.json`);
  }
}

/** Contract: throws INVALID_INPUT for a name that could not be a file of ours. */
export function gatewayName(text: string): string {
  if (NAME.test(text)) return text;
  throw new PalyraError('INVALID_INPUT', `${quote(text)} is no name for a gateway`, {
    help: 'use lower case letters, digits, dots and dashes, at most 63',
  });
}

/** Contract: `undefined` while another process holds it. */
function hold(database: DatabaseSync): Disposable | undefined {
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return { [Symbol.dispose]: () => database.close() };
  } catch (reason) {
    database.close();
    if (isBusy(reason)) return undefined;
    throw reason;
  }
}

const SQLITE_BUSY = 5;

function isBusy(reason: unknown): boolean {
  return reason instanceof Error && 'errcode' in reason && reason.errcode === SQLITE_BUSY;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (reason) {
    if (systemCode(reason) === 'ENOENT') return [];
    throw reason;
  }
}

function heldTooLong(): PalyraError {
  return new PalyraError('OVERLOADED', 'another `palyra` has been enrolling this device for long', {
    help: 'end the other one, or wait for it',
  });
}
