/** What a set is loaded for. */
export type Slot = 'active' | 'candidate' | 'scratch';

/** A name in Cedar's memory under which one set at a time is kept. */
export interface Place {
  readonly id: string;
  /** Whoever may ask it; a set that was loaded over loses it. */
  holder: symbol | undefined;
}

/**
 * The places of one engine. Cedar never frees a name, so there are few and they are used again.
 * The active set alternates between two: what is in force stays intact while its successor loads.
 */
export class Slots {
  readonly #places: Readonly<Record<Slot, Place[]>>;

  constructor(engine: string) {
    const place = (name: string): Place => ({ id: `${engine}:${name}`, holder: undefined });
    this.#places = {
      active: [place('active-1'), place('active-2')],
      candidate: [place('candidate')],
      scratch: [place('scratch')],
    };
  }

  /** Contract: from here on nobody holds it, so nobody asks a set that is half loaded. */
  vacate(slot: Slot): Place {
    const place = this.#next(slot);
    place.holder = undefined;
    return place;
  }

  /** Contract: the next `vacate` takes the other place, if there is one. */
  occupy(slot: Slot, place: Place): symbol {
    const holder = Symbol(place.id);
    place.holder = holder;
    const places = this.#places[slot];
    places.push(...places.splice(0, 1));
    return holder;
  }

  #next(slot: Slot): Place {
    const [place] = this.#places[slot];
    if (place === undefined) throw new RangeError(`the slot ${slot} has no place`);
    return place;
  }
}
