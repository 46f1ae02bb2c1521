import type { ChainPoint } from '@palyra/kernel';
import { type Database, numberAt, type Statement, textAt } from '../database.ts';

/** Table `projection`: one row, the entry up to which the tables of runs and spans have been brought. */
export class Projection {
  readonly #all: Statement;
  readonly #move: Statement;

  constructor(database: Database) {
    this.#all = database.prepare('SELECT sequence, hash FROM projection LIMIT 2');
    this.#move = database.prepare('UPDATE projection SET sequence = ?, hash = ?');
  }

  /** Contract: `undefined` unless there is exactly one row. */
  read(): ChainPoint | undefined {
    const [row, ...others] = this.#all.each();
    if (row === undefined || others.length > 0) return undefined;
    return { sequence: numberAt(row, 0), hash: textAt(row, 1) };
  }

  move({ sequence, hash }: ChainPoint): void {
    this.#move.run(sequence, hash);
  }
}
