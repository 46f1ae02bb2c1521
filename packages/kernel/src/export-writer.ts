import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';
import { canonicalBytes } from './canonical-json.ts';
import { headJson, type SignedHead } from './journal-chain.ts';
import { type Mark, writeMarks } from './seen-lines.ts';
import { type Bytes, toHex } from './sha256.ts';
import type { Signer } from './signature.ts';

export interface ExportStart {
  readonly exportedAt: string;
  /** Of one run only; its entries do not follow one another. */
  readonly runId?: string;
  readonly previousHash?: string;
  /** Of an export of a whole range. */
  readonly firstSequence?: number;
}

export const HEADER_FORMAT = 'palyra.export.v1';
export const TRAILER_FORMAT = 'palyra.export-end.v1';

/** Writes an export file line by line: header, entries, trailer. */
export class ExportWriter {
  readonly #signer: Signer;
  readonly #digest = portableSha256.create();
  readonly header: Bytes;
  readonly #marks: Mark[] | undefined;
  #count = 0;
  #lastHash: Uint8Array | undefined;

  constructor(start: ExportStart, signer: Signer) {
    this.#signer = signer;
    this.#marks = start.runId === undefined ? undefined : [];
    this.header = canonicalBytes({
      format: HEADER_FORMAT,
      exportedAt: start.exportedAt,
      publicKey: signer.publicKey.toBase64(),
      ...(start.runId === undefined ? {} : { runId: start.runId }),
      ...(start.previousHash === undefined ? {} : { previousHash: start.previousHash }),
      ...(start.firstSequence === undefined ? {} : { firstSequence: `${start.firstSequence}` }),
    });
    this.#digest.update(this.header);
  }

  /** `hash` is the SHA-256 of the entry's line; its number matters in an export of one run. */
  add(hash: Uint8Array, sequence = 0): void {
    this.#count += 1;
    this.#lastHash = hash;
    this.#marks?.push({ sequence, hash });
    this.#digest.update(hash);
  }

  /** Without a head the file says nothing about where the journal ended: an archived segment. */
  trailer(head: SignedHead | undefined): Bytes {
    const unsigned = {
      format: TRAILER_FORMAT,
      count: `${this.#count}`,
      digest: toHex(this.#digest.digest()),
      ...(head === undefined ? {} : { head: headJson(head) }),
      ...(this.#lastHash === undefined ? {} : { lastHash: toHex(this.#lastHash) }),
      ...(this.#marks === undefined ? {} : { marks: writeMarks(this.#marks).toBase64() }),
    };
    const signature = this.#signer.sign(canonicalBytes(unsigned)).toBase64();
    return canonicalBytes({ ...unsigned, signature });
  }
}
