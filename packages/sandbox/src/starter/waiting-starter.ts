import { type Bytes, PalyraError } from '@palyra/kernel';
import type { ResourceLimit } from '../tier-c-bubblewrap/limits.ts';
import { type ElfMachine, elfFile } from './elf-file.ts';
import { ARM64_WAITING_STARTER } from './waiting-arm64.ts';
import { X86_64_WAITING_STARTER } from './waiting-x86-64.ts';

const CODE = { x64: X86_64_WAITING_STARTER, arm64: ARM64_WAITING_STARTER } as const;

/**
 * A static program that takes its streams, says that it waits, reads one order from descriptor 0, says that
 * it has begun, and from then on does what the other starter does; but it stays when it has told of the end, as long as
 * whoever the command has left behind may go on. There is no shell that would read words.
 */
export function waitingStarterElf(machine: ElfMachine): Bytes {
  return elfFile(machine, new Uint8Array(Buffer.from(CODE[machine].join(''), 'hex')));
}

/** What it is to start, and how. */
export interface StartOrder {
  readonly limits: readonly ResourceLimit[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The path of the program, inside. */
  readonly program: string;
  /** Its arguments, from its own name on. */
  readonly words: readonly string[];
}

/** INVARIANT: where the program holds its order, and how long one may be; both stand in its code. */
const ORDER_AT = 0x1000_0000;
const MOST_BYTES = 0x40_0000;
const WORD_BYTES = 8;
/** The length, and where the path, the arguments, the environment and the folder are. */
const HEAD_WORDS = 5;
/** No resource, after the last one. */
const NO_MORE = -1;

/**
 * As the program reads it, in words of eight bytes: the length; where the path, the arguments, the environment
 * and the folder are; the limits, each a resource with both values; then the lists and the texts themselves.
 * It holds addresses of its own place, so that the program has nothing to work out.
 */
export function orderBytes({ limits, directory, environment, program, words }: StartOrder): Bytes {
  const variables = Object.entries(environment)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  const limitWords = limits.flatMap(({ resource, soft, hard }) => [resource, soft, hard]);
  const wordsAt = HEAD_WORDS + limitWords.length + 1;
  const variablesAt = wordsAt + words.length + 1;
  const textsAt = (variablesAt + variables.length + 1) * WORD_BYTES;
  const texts = [program, directory, ...words, ...variables];
  const places: number[] = [];
  let length = textsAt;
  for (const text of texts) {
    if (text.includes('\0')) throw new PalyraError('INVALID_INPUT', 'a word holds a NUL');
    places.push(ORDER_AT + length);
    length += Buffer.byteLength(text) + 1;
  }
  if (length > MOST_BYTES) {
    throw new PalyraError('INVALID_INPUT', 'the words of the command are too long');
  }
  const [path = 0, folder = 0, ...lists] = places;
  const address = (at: number) => ORDER_AT + at * WORD_BYTES;
  const order = Buffer.alloc(length);
  // The ends of both lists, and of every text, are zeros that are there already.
  writeWords(order, 0, [length, path, address(wordsAt), address(variablesAt), folder]);
  writeWords(order, HEAD_WORDS, [...limitWords, NO_MORE]);
  writeWords(order, wordsAt, lists.slice(0, words.length));
  writeWords(order, variablesAt, lists.slice(words.length));
  order.write(texts.join('\0'), textsAt);
  return order;
}

const HALF = 2 ** 32;

/** Contract: whole numbers, none larger than is exact. */
function writeWords(order: Buffer, first: number, words: readonly number[]): void {
  for (const [place, word] of words.entries()) {
    const at = (first + place) * WORD_BYTES;
    order.writeUInt32LE(word >>> 0, at);
    order.writeInt32LE(Math.floor(word / HALF) | 0, at + WORD_BYTES / 2);
  }
}
