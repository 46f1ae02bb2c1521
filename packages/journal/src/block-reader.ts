import { Worker } from 'node:worker_threads';
import { MAX_VALUE_BYTES } from './database.ts';
import { BLOCK_SQL, type Range } from './tables/entries.ts';

/** Consecutive entries, joined by newlines, and their hashes, each of 64 hex digits. */
export interface HashedBlock {
  readonly rows: number;
  readonly joined: Uint8Array;
  readonly hashes: string;
}

/**
 * Reads and hashes the next blocks of entries on a thread of its own while the one before is being
 * checked: that halves the time. It sees a snapshot of its own, which is as good: entries up to
 * a signed head never change. Contract: what it cannot read it leaves out, for others to judge.
 */
export class BlockReader implements AsyncDisposable {
  readonly #worker: Worker;
  /** In the order of the calls, which is that of the answers. */
  readonly #waiting: ((block: HashedBlock | undefined) => void)[] = [];
  #isLost = false;

  constructor(file: string) {
    const workerData = { file, sql: BLOCK_SQL, maxValueBytes: MAX_VALUE_BYTES };
    this.#worker = new Worker(PROGRAM, { eval: true, workerData, env: {} });
    this.#worker.unref();
    this.#worker.on('message', (block: unknown) => {
      this.#waiting.shift()?.(isBlock(block) ? block : undefined);
    });
    // A thread that cannot open or read the store is no judge of it: the caller reads by itself.
    this.#worker.on('error', () => {
      this.#isLost = true;
      for (const answer of this.#waiting.splice(0)) answer(undefined);
    });
  }

  read({ after, upTo }: Range): Promise<HashedBlock | undefined> {
    if (this.#isLost) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<HashedBlock | undefined>();
    this.#waiting.push(resolve);
    this.#worker.postMessage({ after, upTo }, []);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

function isBlock(value: unknown): value is HashedBlock {
  return typeof value === 'object' && value !== null && 'hashes' in value;
}

/** As text, because a bundle has no file that a thread could be started from. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const { hash } = require('node:crypto');
  const { file, sql, maxValueBytes } = workerData;
  const limits = { length: maxValueBytes };
  const database = new DatabaseSync(file, { readOnly: true, timeout: 2000, defensive: true, limits });
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const read = ({ after, upTo }) => {
    const [joined, rows] = statement.get(after, upTo);
    const bytes = Buffer.from(joined.buffer, joined.byteOffset, joined.byteLength);
    let hashes = '';
    for (let at = 0; at < bytes.length; ) {
      const newline = bytes.indexOf(10, at);
      const end = newline === -1 ? bytes.length : newline;
      hashes += hash('sha256', bytes.subarray(at, end), 'hex');
      at = end + 1;
    }
    return { rows, joined, hashes };
  };
  parentPort.on('message', (range) => {
    try {
      const block = read(range);
      parentPort.postMessage(block, [block.joined.buffer]);
    } catch {
      parentPort.postMessage(undefined);
    }
  });
`;
