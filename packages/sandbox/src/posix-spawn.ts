import { PalyraError } from '@palyra/kernel';
import { loadFfi } from './libc.ts';

/** Signals as in a fresh process, whatever we do with ours; and a session of its own. */
const FLAGS = 0x04 | 0x08 | 0x80;
/** More than either structure and a set of signals take in any C library. */
const STRUCTURE_BYTES = 1024;

export interface SpawnOrder {
  readonly file: string;
  /** From its own name on. */
  readonly words: readonly string[];
  /** What it has under each number, from 0 on. Contract: none of these is one of ours that is that small. */
  readonly descriptors: readonly number[];
}

/** Contract: `undefined` when the system started none. */
export type Spawn = (order: SpawnOrder) => number | undefined;

/**
 * The call of the C library that starts a program without a copy of ourselves, with an empty environment.
 */
export function openSpawn(): Spawn {
  const { DynamicLibrary, getRawPointer: at } = loadFfi();
  const library = new DynamicLibrary('libc.so.6');
  const pointers = (count: number) => Array.from({ length: count }, () => 'pointer' as const);
  const call = (name: string, count: number) =>
    library.getFunction(name, { arguments: pointers(count), return: 'i32' });
  const spawn = call('posix_spawn', 6);
  const initActions = call('posix_spawn_file_actions_init', 1);
  const destroyActions = call('posix_spawn_file_actions_destroy', 1);
  const addDup2 = library.getFunction('posix_spawn_file_actions_adddup2', {
    arguments: ['pointer', 'i32', 'i32'],
    return: 'i32',
  });
  const initAttributes = call('posix_spawnattr_init', 1);
  const setFlags = library.getFunction('posix_spawnattr_setflags', {
    arguments: ['pointer', 'i16'],
    return: 'i32',
  });
  const setDefaults = call('posix_spawnattr_setsigdefault', 2);
  const memory = spawnMemory();
  const { attributes, actions, list, pid, nothing } = memory;
  // The mask of the fresh one is empty already.
  initAttributes(at(attributes));
  setFlags(at(attributes), FLAGS);
  setDefaults(at(attributes), at(memory.everySignal));
  return ({ file, words, descriptors }) => {
    const texts = [file, ...words].map((word) => Buffer.from(`${word}\0`));
    const [path = 0, ...rest] = placesOf(texts, memory.texts);
    if (rest.length >= MOST_WORDS) throw tooLong();
    for (const [index, place] of rest.entries()) {
      list.writeBigUInt64LE(at(memory.texts) + BigInt(place), index * 8);
    }
    list.writeBigUInt64LE(0n, rest.length * 8);
    initActions(at(actions));
    try {
      const results = descriptors.map((from, to) => addDup2(at(actions), from, to));
      if (results.some((result) => result !== 0)) return undefined;
      const program = at(memory.texts) + BigInt(path);
      const rules = [at(actions), at(attributes)] as const;
      const result = spawn(at(pid), program, ...rules, at(list), at(nothing));
      return result === 0 ? pid.readInt32LE(0) : undefined;
    } finally {
      destroyActions(at(actions));
    }
  };
}

const TEXT_BYTES = 8192;
const MOST_WORDS = 32;

/**
 * All that the system reads and writes while it starts a process. INVARIANT: ours as long as anything is
 * started, and the same each time: what only a number points at would be taken away from under it.
 */
function spawnMemory() {
  return {
    attributes: Buffer.alloc(STRUCTURE_BYTES),
    actions: Buffer.alloc(STRUCTURE_BYTES),
    everySignal: Buffer.alloc(STRUCTURE_BYTES, 0xff),
    texts: Buffer.alloc(TEXT_BYTES),
    list: Buffer.alloc(MOST_WORDS * 8),
    pid: Buffer.alloc(4),
    nothing: Buffer.alloc(8),
  } as const;
}

/** Puts texts one behind the other, and tells where each begins. Contract: throws SANDBOX_FAILED when they are too long. */
function placesOf(texts: readonly Buffer[], into: Buffer): readonly number[] {
  let used = 0;
  return texts.map((text) => {
    const place = used;
    used += text.length;
    if (used > into.length) throw tooLong();
    text.copy(into, place);
    return place;
  });
}

function tooLong(): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the words that start the sandbox are too long');
}
