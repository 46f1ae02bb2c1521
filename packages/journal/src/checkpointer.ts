import { Worker } from 'node:worker_threads';
import { type Database, numberAt, type Statement } from './database.ts';
import { storeFault } from './store-fault.ts';

/**
 * Soon enough that the log is written over and over in the same place, which the disk does faster
 * than letting it grow.
 */
const CHECKPOINT_BYTES = 4 * 1024 * 1024;
/** From here on the thread is wanted soon. It takes a while to start, and nobody shall wait for that. */
const START_BYTES = CHECKPOINT_BYTES / 2;
/** Looking costs a little too. */
const COMMITS_BETWEEN_LOOKS = 8;

type State =
  | { readonly at: 'unstarted' }
  | { readonly at: 'starting'; readonly worker: Worker }
  | { readonly at: 'idle'; readonly worker: Worker }
  | { readonly at: 'copying'; readonly worker: Worker; readonly done: PromiseWithResolvers<void> }
  | { readonly at: 'failed'; readonly reason: unknown }
  | { readonly at: 'closed' };

/**
 * Moves what is committed from the write-ahead log into the store, on a thread of its own that the
 * first real load starts: the event loop would stand still for too long. Durability does not
 * depend on it; the size of the log does.
 *
 * Commits wait meanwhile. They gain nothing by going on: two files being flushed at once take longer
 * than one after the other, and the log could not begin anew before somebody waits after all.
 */
export class Checkpointer implements AsyncDisposable {
  readonly #file: string;
  readonly #frames: Statement;
  readonly #pageBytes: number;
  #state: State = { at: 'unstarted' };
  #commits = 0;

  constructor(file: string, database: Database) {
    this.#file = file;
    this.#frames = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#pageBytes = numberAt(database.prepare('PRAGMA page_size').get() ?? [], 0);
  }

  /**
   * Contract: called after each commit. Nothing may be written until the promise, if there is one,
   * is settled, or the log could never begin anew. Throws when the store is in trouble.
   */
  afterCommit(): Promise<void> | undefined {
    if (this.#state.at === 'failed') throw storeFault(this.#state.reason);
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return undefined;
    if (this.#state.at === 'unstarted') {
      if (this.#waitingBytes() >= START_BYTES) this.#start();
      return undefined;
    }
    if (this.#state.at !== 'idle' || this.#waitingBytes() < CHECKPOINT_BYTES) return undefined;
    return this.#copy(this.#state.worker);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const state = this.#state;
    this.#end({ at: 'closed' });
    if ('worker' in state) await state.worker.terminate();
  }

  #copy(worker: Worker): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#state = { at: 'copying', worker, done };
    worker.postMessage('checkpoint', []);
    return done.promise;
  }

  #start(): void {
    const worker = new Worker(PROGRAM, { eval: true, workerData: this.#file, env: {} });
    worker.unref();
    // The first tells that it is ready, each other that it has done what it was asked for.
    worker.on('message', () => this.#end({ at: 'idle', worker }));
    worker.on('error', (reason) => this.#end({ at: 'failed', reason }));
    this.#state = { at: 'starting', worker };
  }

  #end(next: State): void {
    const before = this.#state;
    if (before.at === 'closed') return;
    this.#state = next;
    if (before.at === 'copying') before.done.resolve();
  }

  #waitingBytes(): number {
    const row = this.#frames.get() ?? [];
    return (numberAt(row, 1) - numberAt(row, 2)) * this.#pageBytes;
  }
}

/** As text, because a bundle has no file that a thread could be started from. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  parentPort.on('message', () => {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    parentPort.postMessage('done');
  });
  parentPort.postMessage('ready');
`;
