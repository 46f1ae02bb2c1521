import { Worker } from 'node:worker_threads';
import { type Database, numberAt, type Statement } from './database.ts';
import { storeFault } from './store-fault.ts';

/**
 * Some 4 MiB of the write-ahead log. Soon enough that the log is written over and over in the same
 * place, which the disk does faster than letting it grow.
 */
const CHECKPOINT_FRAMES = 1024;
/** Looking costs a little too. */
const COMMITS_BETWEEN_LOOKS = 8;

type State =
  | { readonly at: 'idle' }
  /** Most of the log is being copied while entries go on being written. */
  | { readonly at: 'copying' }
  | { readonly at: 'copied' }
  /** The rest is being copied; only now does everybody wait. */
  | { readonly at: 'finishing'; readonly done: PromiseWithResolvers<void> };

/**
 * Moves what is committed from the write-ahead log into the store, on a thread of its own that the
 * first real load starts: the event loop would stand still for too long. Durability does not
 * depend on it; the size of the log does.
 */
export class Checkpointer implements AsyncDisposable {
  readonly #file: string;
  readonly #frames: Statement;
  #worker: Worker | undefined;
  #state: State = { at: 'idle' };
  #failure: unknown;
  #commits = 0;

  constructor(file: string, database: Database) {
    this.#file = file;
    this.#frames = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /**
   * Contract: called after each commit. Nothing may be written until the promise, if there is one,
   * is settled, or the log could never begin anew. Throws when the store is in trouble.
   */
  afterCommit(): Promise<void> | undefined {
    if (this.#failure !== undefined) throw storeFault(this.#failure);
    if (this.#state.at === 'copied') return this.#finish();
    this.#commits += 1;
    if (this.#state.at !== 'idle' || this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return undefined;
    if (this.#waitingFrames() < CHECKPOINT_FRAMES) return undefined;
    this.#state = { at: 'copying' };
    this.#order();
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle();
  }

  #finish(): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#state = { at: 'finishing', done };
    this.#order();
    return done.promise;
  }

  #order(): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint', []);
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, { eval: true, workerData: this.#file, env: {} });
    worker.unref();
    worker.on('message', () => {
      if (this.#state.at === 'copying') this.#state = { at: 'copied' };
      else this.#settle();
    });
    worker.on('error', (error) => {
      this.#failure = error;
      this.#settle();
    });
    return worker;
  }

  #settle(): void {
    if (this.#state.at === 'finishing') this.#state.done.resolve();
    this.#state = { at: 'idle' };
  }

  #waitingFrames(): number {
    const row = this.#frames.get() ?? [];
    return numberAt(row, 1) - numberAt(row, 2);
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
`;
