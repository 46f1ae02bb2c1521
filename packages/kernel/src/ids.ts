import type { Clock } from './clock.ts';
import type { Bytes } from './sha256.ts';

declare const brand: unique symbol;
/** A string that only its own factory or parser can make; ids of two kinds cannot be swapped. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type EntryId = Id<'entry'>;
export type RunId = Id<'run'>;
export type SessionId = Id<'session'>;
export type CallId = Id<'call'>;
export type AttestationId = Id<'attestation'>;

/** Contract: ids made later sort later, also within one millisecond and when the clock steps back. */
export interface Ids {
  next<Kind extends string>(): Id<Kind>;
}

export type FillRandom = (bytes: Bytes) => void;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_LENGTH = 16;
/** Asking the platform costs far more than the bytes do. */
const POOL_BYTES = 64 * RANDOM_LENGTH;
const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function createIds(
  clock: Clock,
  fillRandom: FillRandom = fillFromPool(platformRandom),
): Ids {
  let lastMs = -1;
  let digits: number[] = [];

  return {
    next<Kind extends string>(): Id<Kind> {
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        digits = randomDigits(fillRandom);
      } else if (!increment(digits)) {
        // 2^80 ids in one millisecond: move on a millisecond rather than repeat one.
        lastMs += 1;
        digits = randomDigits(fillRandom);
      }
      return toId<Kind>(encodeTime(lastMs) + encodeDigits(digits));
    },
  };
}

/** The one gate for ids that come from outside: anything but a ULID is `undefined`. */
export function parseId<Kind extends string>(text: string): Id<Kind> | undefined {
  return isUlid<Kind>(text) ? text : undefined;
}

function isUlid<Kind extends string>(text: string): text is Id<Kind> {
  return ULID_PATTERN.test(text);
}

function toId<Kind extends string>(text: string): Id<Kind> {
  if (!isUlid<Kind>(text)) throw new TypeError('an id left the range of a ulid');
  return text;
}

function encodeTime(ms: number): string {
  let text = '';
  let rest = ms;
  for (let place = 0; place < 10; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeDigits(digits: readonly number[]): string {
  let text = '';
  for (const digit of digits) text += ALPHABET.charAt(digit);
  return text;
}

function randomDigits(fillRandom: FillRandom): number[] {
  const bytes = new Uint8Array(RANDOM_LENGTH);
  fillRandom(bytes);
  return Array.from(bytes, (byte) => byte & 31);
}

function increment(digits: number[]): boolean {
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const next = (digits[place] ?? 0) + 1;
    if (next < 32) {
      digits[place] = next;
      return true;
    }
    digits[place] = 0;
  }
  return false;
}

/** From many bytes at once, none of them given out twice. Contract: for fewer bytes than it holds. */
export function fillFromPool(fillPool: FillRandom): FillRandom {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (used + bytes.length > POOL_BYTES) {
      fillPool(pool);
      used = 0;
    }
    bytes.set(pool.subarray(used, used + bytes.length));
    used += bytes.length;
  };
}

function platformRandom(bytes: Bytes): void {
  globalThis.crypto.getRandomValues(bytes);
}
