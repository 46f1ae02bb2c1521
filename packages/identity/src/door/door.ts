import type { Bytes, Places } from '@palyra/kernel';
import { type DoorFacts, writeDoorFile } from './door-file.ts';

export interface DoorParts {
  readonly places: Pick<Places, 'doorDir'>;
  readonly authorities: { accepted(): Promise<readonly Bytes[]> };
}

export type DoorPlace = Omit<DoorFacts, 'authorities'>;

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
    const authorities = await this.#parts.authorities.accepted();
    if (this.#place === undefined || isSame(authorities, this.#written)) return;
    writeDoorFile(this.#parts.places, { ...this.#place, authorities });
    this.#written = authorities;
  }
}

function isSame(some: readonly Bytes[], others: readonly Bytes[]): boolean {
  const texts = (list: readonly Bytes[]) => list.map((der) => der.toHex()).join(' ');
  return texts(some) === texts(others);
}
