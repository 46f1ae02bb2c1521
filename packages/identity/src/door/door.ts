import type { Bytes, Clock, Places } from '@palyra/kernel';
import { type Authority, AuthorityState } from '@palyra/protocol';
import { type DoorFacts, writeDoorFile } from './door-file.ts';

export interface DoorParts {
  readonly places: Pick<Places, 'doorDir'>;
  readonly clock: Clock;
  /** The active one first. */
  readonly authorities: { list(): Promise<readonly Authority[]> };
}

export type DoorPlace = Omit<DoorFacts, 'authorities'>;

/** So long a port may take, with plenty to spare, until it answers with a new authority. */
const SETTLING_MS = 10_000;

/** Keeps the door file true: it names the authorities that are accepted now. */
export class Door {
  readonly #parts: DoorParts;
  #place: DoorPlace | undefined;
  #written: readonly Bytes[] = [];

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  async announce(place: DoorPlace): Promise<void> {
    this.#place = place;
    this.#written = [];
    await this.refresh();
  }

  /** Contract: does nothing before the doors are open, or while the authorities are the same. */
  async refresh(): Promise<void> {
    const authorities = namedInOrder(await this.#parts.authorities.list(), this.#parts.clock.now());
    if (this.#place === undefined || isSame(authorities, this.#written)) return;
    writeDoorFile(this.#parts.places, { ...this.#place, authorities });
    this.#written = authorities;
  }
}

/**
 * Programs ask the port for the first. One that is just made comes last for a moment: the port may
 * not have its certificate yet, while that of the one before it certainly is there.
 */
function namedInOrder(activeFirst: readonly Authority[], now: Date): readonly Bytes[] {
  const accepted = activeFirst.filter(({ state }) => state !== AuthorityState.RETIRED);
  const isSettled = ({ createdAt }: Authority) =>
    Date.parse(createdAt) <= now.getTime() - SETTLING_MS;
  const ordered = [
    ...accepted.filter((authority) => isSettled(authority)),
    ...accepted.filter((authority) => !isSettled(authority)).toReversed(),
  ];
  return ordered.map(({ certificate }) => Uint8Array.from(certificate));
}

function isSame(some: readonly Bytes[], others: readonly Bytes[]): boolean {
  const texts = (list: readonly Bytes[]) => list.map((der) => der.toHex()).join(' ');
  return texts(some) === texts(others);
}
