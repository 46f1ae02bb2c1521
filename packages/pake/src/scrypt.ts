import { scryptAsync } from '@noble/hashes/scrypt.js';

/** 16 MiB and some 50 ms a guess, for whoever has stolen a verifier. */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
/** The event loop gets a turn at least this often. */
const TICK_MS = 2;

export interface Stretching {
  readonly input: Uint8Array;
  readonly salt: Uint8Array;
  /** How many bytes are wanted. */
  readonly bytes: number;
}

/** Node's own where there is Node: half the time of the processor, and on another thread. A browser has none. */
export async function scrypt(wanted: Stretching): Promise<Uint8Array> {
  return await (onThread(wanted) ?? inTurns(wanted));
}

function onThread({ input, salt, bytes }: Stretching): Promise<Uint8Array> | undefined {
  const node = typeof process === 'undefined' ? undefined : process;
  const crypto = node?.getBuiltinModule('crypto');
  if (crypto === undefined) return undefined;
  return new Promise((resolve, reject) => {
    crypto.scrypt(input, salt, bytes, COST, (error, derived) => {
      if (error === null) resolve(derived);
      else reject(error);
    });
  });
}

export function inTurns({ input, salt, bytes }: Stretching): Promise<Uint8Array> {
  return scryptAsync(input, salt, { ...COST, dkLen: bytes, asyncTick: TICK_MS });
}
