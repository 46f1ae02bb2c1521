import { isIP, isIPv4, isIPv6 } from 'node:net';
import { type Clock, PalyraError } from '@palyra/kernel';

const WINDOW_MS = 60_000;

export interface AttemptBounds {
  /** In a minute, by address: of IPv6 the first 64 bits, which one household has. */
  readonly perAddress: number;
  /** In a minute, of everybody. */
  readonly inAll: number;
}

export const STRANGERS: AttemptBounds = { perAddress: 10, inAll: 60 };
/** Programs of this machine share few addresses, and 256 bits cannot be guessed: this bounds work. */
export const LOCALS: AttemptBounds = { perAddress: 60, inAll: 240 };

/** How often strangers may try. Refused attempts count for nothing, so nobody can use up all by themselves. */
export class AttemptLimits {
  readonly #clock: Clock;
  readonly #bounds: AttemptBounds;
  /** INVARIANT: at most `inAll` of the last minute, so that it also bounds the addresses remembered. */
  #attempts: readonly Attempt[] = [];

  constructor(clock: Clock, bounds: AttemptBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Contract: throws RATE_LIMITED and takes nothing when there is none left. */
  take(address: string): void {
    const nowMs = this.#clock.now().getTime();
    // One that lies ahead is older than a step of the clock; it must not lock anybody out for good.
    const recent = this.#attempts.filter(({ atMs }) => atMs > nowMs - WINDOW_MS && atMs <= nowMs);
    const whence = householdOf(address);
    const own = recent.filter((attempt) => attempt.whence === whence).length;
    this.#attempts = recent;
    if (own >= this.#bounds.perAddress || recent.length >= this.#bounds.inAll) throw tooMany();
    this.#attempts = [...recent, { whence, atMs: nowMs }];
  }
}

interface Attempt {
  readonly whence: string;
  readonly atMs: number;
}

export function householdOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? `${firstGroups(plain).join(':')}::/64` : plain;
}

/**
 * Without the zone, and IPv4 as IPv4 where it is wrapped in IPv6.
 * Contract: one word for all that is no address.
 */
export function plainAddress(address: string): string {
  const [withoutZone = ''] = address.toLowerCase().split('%');
  const wrapped = withoutZone.startsWith(WRAPPED) ? withoutZone.slice(WRAPPED.length) : '';
  if (isIPv4(wrapped)) return wrapped;
  return isIP(withoutZone) === 0 ? 'unknown' : withoutZone;
}

const WRAPPED = '::ffff:';

function firstGroups(address: string): readonly string[] {
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const absent = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: absent }, () => 0), ...after];
  return all.slice(0, 4).map((group) => group.toString(16));
}

/** An IPv4 address at the end stands for two groups. */
function groupsOf(text: string): readonly number[] {
  if (text === '') return [];
  return text
    .split(':')
    .flatMap((part) => (part.includes('.') ? [0, 0] : [Number.parseInt(part, 16)]));
}

function tooMany(): PalyraError {
  return new PalyraError('RATE_LIMITED', 'too many pairing attempts', {
    help: 'wait a minute and try again',
  });
}
