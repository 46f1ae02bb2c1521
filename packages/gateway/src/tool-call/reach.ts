import type { EgressConnection } from '@palyra/protocol';
import type { ReachedHosts } from '../ports.ts';

const MOST_HOSTS = 64;

/** Whom one call has reached, as its connections tell. */
export class Reach {
  readonly #hosts = new Set<string>();
  #isCut = false;

  /** Only one that was let through reached anybody. */
  add({ decision, host, port }: EgressConnection): void {
    if (decision !== 'allowed') return;
    const place = `${host}:${port}`;
    if (this.#hosts.size < MOST_HOSTS || this.#hosts.has(place)) this.#hosts.add(place);
    else this.#isCut = true;
  }

  get reached(): ReachedHosts {
    return { hosts: [...this.#hosts].toSorted(), isCut: this.#isCut };
  }
}
