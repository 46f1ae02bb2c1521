import { create } from '@bufbuild/protobuf';
import { type Clock, PalyraError } from '@palyra/kernel';
import { type Token, TokenSchema } from '@palyra/protocol';
import type { RecordsPort, Row } from '@palyra/records';
import { tokenEntry } from './notes.ts';
import type { Tables } from './tables.ts';

const NOTED_EVERY_MS = 60_000;

export interface TokenUseParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
}

/** `changed`: somebody else wrote the token meanwhile, perhaps to revoke it. */
export type Noted = 'noted' | 'changed';

/** Writes down that a token is used, at most once a minute for each. */
export class TokenUse {
  readonly #parts: TokenUseParts;
  /** INVARIANT: one write for each token at a time; whoever comes meanwhile waits for the same. */
  readonly #writing = new Map<string, Promise<Noted>>();

  constructor(parts: TokenUseParts) {
    this.#parts = parts;
  }

  /** Contract: the use is durable when this resolves, or was so less than a minute ago. */
  async note(row: Row<Token>, principal: string): Promise<Noted> {
    const now = this.#parts.clock.now();
    const sinceMs = Math.abs(now.getTime() - Date.parse(row.value.lastUsedAt));
    if (sinceMs < NOTED_EVERY_MS) return 'noted';
    const writing = this.#writing.get(row.id) ?? this.#write(row, principal, now);
    this.#writing.set(row.id, writing);
    try {
      return await writing;
    } finally {
      this.#writing.delete(row.id);
    }
  }

  async #write({ id, version, value }: Row<Token>, principal: string, now: Date): Promise<Noted> {
    const { records, tables } = this.#parts;
    const used = create(TokenSchema, { ...value, lastUsedAt: now.toISOString() });
    try {
      await records.transact({
        writes: [tables.tokens.put(id, used, version)],
        entries: [tokenEntry('token.used', used, principal)],
      });
      return 'noted';
    } catch (error) {
      if (error instanceof PalyraError && error.code === 'CONFLICT') return 'changed';
      throw error;
    }
  }
}
