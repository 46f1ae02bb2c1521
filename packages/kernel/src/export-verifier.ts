import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';
import { type Header, malformed, readHeader, readTrailer, type Trailer } from './export-frame.ts';
import {
  type ChainFault,
  type ChainPoint,
  ChainWalker,
  type EntryLink,
  type EntryView,
  faultAt,
  isFault,
  previousHashOf,
  readLink,
  type SignedHead,
  type Successor,
  verifyHead,
  viewEntry,
} from './journal-chain.ts';
import { type LineFault, SeenLines } from './seen-lines.ts';
import { fromHex, type Sha256, toHex } from './sha256.ts';
import { keyIdOf, verifySignature } from './signature.ts';

export type VerifyReport =
  | {
      readonly verdict: 'intact';
      readonly entries: number;
      /** Zero, like the last one, when there are no entries. */
      readonly firstSequence: number;
      readonly lastSequence: number;
      /** What the first entry follows; empty for an export of one run. */
      readonly previousHash: string;
      /** Of the last entry. */
      readonly headHash: string;
      readonly keyId: string;
      /** Of a store whose beginning was archived; the verdict is about the store alone. */
      readonly archived?: ArchiveCount;
    }
  | { readonly verdict: 'broken'; readonly fault: ChainFault; readonly entries: number };

/** How many segments have left the store, and how many of their files lie in the archive directory. */
export interface ArchiveCount {
  readonly expected: number;
  readonly found: number;
  /** Why they differ, in words for the reader. */
  readonly reason?: string;
}

export interface VerifyExportOptions {
  readonly sha256: Sha256;
  /** The key that should have signed. Without it the report names the key, and the reader judges. */
  readonly expectedKeyId?: string;
  /** Called every thousand entries. */
  readonly onProgress?: (entries: number) => void;
}

const PROGRESS_EVERY = 1000;

/**
 * Checks an export file, with no daemon and no store. `lines` come without their newlines.
 * Contract: a file that is not an export at all rejects with EXPORT_MALFORMED; every other edit of
 * it gives `broken`. A key is not to be trusted because it stands in the file: see `keyId`.
 */
export async function verifyExport(
  lines: AsyncIterable<Uint8Array>,
  options: VerifyExportOptions,
): Promise<VerifyReport> {
  let check: ExportCheck | undefined;
  // One line is held back, because only the end of the file tells that it was the trailer.
  let held: Uint8Array | undefined;
  for await (const line of lines) {
    if (check === undefined) {
      check = new ExportCheck(line, options);
      continue;
    }
    if (held !== undefined) {
      const fault = check.add(held, line);
      if (fault !== undefined) return { verdict: 'broken', fault, entries: check.entries };
      if (check.entries % PROGRESS_EVERY === 0) options.onProgress?.(check.entries);
    }
    held = line;
  }
  if (check === undefined) throw malformed('it is empty');
  return check.finish(held);
}

class ExportCheck {
  readonly #header: Header;
  readonly #options: VerifyExportOptions;
  readonly #digest = portableSha256.create();
  readonly #lines = new SeenLines();
  #walker: ChainWalker | undefined;
  #trouble: LineFault | undefined;
  #lastLine: Uint8Array | undefined;
  #first = 0;
  #last = 0;
  #lastHash: Uint8Array;
  entries = 0;

  constructor(headerLine: Uint8Array, options: VerifyExportOptions) {
    this.#header = readHeader(headerLine);
    this.#options = options;
    this.#lastHash = fromHex(this.#header.previousHash) ?? new Uint8Array();
    this.#digest.update(headerLine);
  }

  /** `next` is the line that follows. */
  add(line: Uint8Array, next: Uint8Array): ChainFault | undefined {
    const entry = viewEntry(line);
    const link = readLink(entry);
    if (this.#header.runId !== undefined) return this.#pick(entry, link);
    if (link === undefined) {
      const fault = { sequence: this.#next(), reason: 'it is not an entry' };
      return this.#told(this.#trouble) ?? faultAt(line, fault);
    }
    const fault = this.#follow(entry, link, () => readTrailer(next)?.lastHash ?? next);
    if (fault === undefined) {
      this.#count(link.sequence);
      return undefined;
    }
    const earlier = this.#told(this.#trouble);
    if (earlier === undefined && fault.sequence <= this.#last) this.entries -= 1;
    return earlier ?? fault;
  }

  #follow(entry: EntryView, link: EntryLink, next: Successor): ChainFault | undefined {
    this.#walker ??= this.#begin(entry, link);
    const step = this.#walker.feed(entry, next);
    if (isFault(step)) return step;
    this.#lastHash = fromHex(this.#walker.point.hash) ?? this.#lastHash;
    this.#lastLine = entry.canonical;
    return undefined;
  }

  /**
   * Where the first entry is not the one that the header tells of, either may have been changed: the
   * walk then begins with what the entry says, and only the last line tells which of them it was.
   */
  #begin(entry: EntryView, link: EntryLink): ChainWalker {
    const { previousHash, firstSequence = link.sequence } = this.#header;
    const start = { sequence: firstSequence - 1, hash: previousHash };
    const fault = this.#walkerFrom(start).feed(entry);
    if (!isFault(fault)) return this.#walkerFrom(start);
    this.#trouble = { fault, goodBefore: 0 };
    const hash = previousHashOf(entry.canonical) ?? previousHash;
    return this.#walkerFrom({ sequence: link.sequence - 1, hash });
  }

  #walkerFrom(start: ChainPoint): ChainWalker {
    return new ChainWalker(start, (bytes) => toHex(this.#options.sha256(bytes)));
  }

  /** What is wrong with one line is told at the end: only the last line knows what should be there. */
  #pick(entry: EntryView, link: EntryLink | undefined): undefined {
    const line = entry.canonical;
    const sequence = link?.sequence;
    const reason = this.#misfit(entry, link);
    if (reason !== undefined) {
      const fault = faultAt(line, { sequence: sequence ?? this.#last + 1, reason });
      this.#trouble ??= { fault, goodBefore: this.entries };
    }
    this.#lastHash = this.#options.sha256(line);
    this.#lines.add({ line, sequence, hash: this.#lastHash });
    this.#count(sequence ?? this.#last + 1);
  }

  #misfit({ text, at }: EntryView, link: EntryLink | undefined): string | undefined {
    if (link === undefined) return 'it is not an entry';
    if (link.sequence <= this.#last) return 'it is out of order';
    const { runId = '' } = this.#header;
    const isOfRun = link.runIdAt >= 0 && text.startsWith(runId, at + link.runIdAt);
    return isOfRun ? undefined : 'it is of another run';
  }

  #next(): number {
    return this.entries === 0 ? (this.#header.firstSequence ?? 1) : this.#last + 1;
  }

  #count(sequence: number): void {
    this.#digest.update(this.#lastHash);
    if (this.entries === 0) this.#first = sequence;
    this.#last = sequence;
    this.entries += 1;
  }

  async finish(line: Uint8Array | undefined): Promise<VerifyReport> {
    const fault = await this.#finalFault(line);
    if (fault !== undefined) return { verdict: 'broken', fault, entries: this.entries };
    return {
      verdict: 'intact',
      entries: this.entries,
      firstSequence: this.#first,
      lastSequence: this.#last,
      previousHash: this.#header.previousHash,
      headHash: toHex(this.#lastHash),
      keyId: keyIdOf(this.#header.publicKey),
    };
  }

  async #finalFault(line: Uint8Array | undefined): Promise<ChainFault | undefined> {
    const trailer = line === undefined ? undefined : readTrailer(line);
    if (trailer === undefined) return this.#cutFault(line);
    const unsigned = await this.#judgeSignature(trailer);
    if (unsigned !== undefined) {
      return this.#told(this.#trouble) ?? { sequence: NO_ENTRY, reason: unsigned };
    }
    // From here on the last line is to be trusted.
    const changed = trailer.marks === undefined ? undefined : this.#lines.firstFault(trailer.marks);
    const digest = toHex(this.#digest.digest());
    const isAsSigned = digest === trailer.digest;
    if (changed === undefined && !isAsSigned && this.#holdsEntriesOf(trailer)) {
      return { sequence: NO_ENTRY, reason: 'the header is not the one that was signed' };
    }
    const misfit = this.#told(changed ?? this.#trouble);
    if (misfit !== undefined) return misfit;
    const reason = await this.#judge(trailer, digest);
    if (reason === undefined) return undefined;
    return this.#lastFault(trailer) ?? { sequence: this.#next(), reason };
  }

  /** Contract: the entries follow one another, or were compared with the marks. */
  #holdsEntriesOf({ count, lastHash }: Trailer): boolean {
    if (count !== `${this.entries}`) return false;
    return this.entries === 0 || lastHash === toHex(this.#lastHash);
  }

  /** A file that was cut ends with an entry, or with a piece of one. */
  #cutFault(line: Uint8Array | undefined): ChainFault {
    const isEntry = line !== undefined && readLink(viewEntry(line)) !== undefined;
    const fault = isEntry ? this.add(line, new Uint8Array()) : undefined;
    return fault ?? this.#told(this.#trouble) ?? { sequence: this.#next(), reason: CUT };
  }

  /** All lines were read by then; only those before the first bad one count as good. */
  #told(found: LineFault | undefined): ChainFault | undefined {
    if (found !== undefined) this.entries = found.goodBefore;
    return found?.fault;
  }

  /** Nothing follows the last entry; that it was changed, only the last line tells. */
  #lastFault({ count, lastHash }: Trailer): ChainFault | undefined {
    if (this.#lastLine === undefined || count !== `${this.entries}`) return undefined;
    if (lastHash === toHex(this.#lastHash)) return undefined;
    this.entries -= 1;
    return faultAt(this.#lastLine, { sequence: this.#last, reason: 'its content was changed' });
  }

  async #judgeSignature(trailer: Trailer): Promise<string | undefined> {
    const { publicKey } = this.#header;
    const keyId = keyIdOf(publicKey);
    if (this.#options.expectedKeyId !== undefined && this.#options.expectedKeyId !== keyId) {
      return 'the file is signed by another key than the expected one';
    }
    if (!(await verifySignature(publicKey, trailer.signed, trailer.signature))) {
      return 'the last line is not signed by the key that the header names: one of them was changed';
    }
    return undefined;
  }

  async #judge(trailer: Trailer, digest: string): Promise<string | undefined> {
    if (trailer.count !== `${this.entries}`) return `the file should hold ${trailer.count} entries`;
    if (trailer.digest !== digest) return 'the entries are not those that were signed';
    return this.#judgeHead(trailer.head, keyIdOf(this.#header.publicKey));
  }

  async #judgeHead(head: SignedHead | undefined, keyId: string): Promise<string | undefined> {
    if (head === undefined) return undefined;
    const signed = head.keyId === keyId && (await verifyHead(head, this.#header.publicKey));
    if (!signed) return 'the head is not signed by the key that the file names';
    const isWhole = this.#header.runId === undefined;
    const fits = isWhole
      ? head.sequence === this.#last && head.hash === toHex(this.#lastHash)
      : head.sequence >= this.#last;
    return fits ? undefined : 'the entries do not end where the head says';
  }
}

/** In the place of a sequence number. */
const NO_ENTRY = 0;
const CUT = 'the file ends before its last line';
