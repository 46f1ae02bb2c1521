import { join } from 'node:path';
import type { Places } from '@palyra/kernel';
import type { Verifier } from '@palyra/pake';
import { makePrivateDirectory, replaceForNow } from '@palyra/private-files';
import { guarded } from '../file-fault.ts';
import { makeSecret } from '../registry/secret.ts';

/** What a device on this machine is checked against. */
export interface LocalVerifier {
  readonly verifier: Verifier;
  readonly generation: number;
}

/**
 * The one-time secret in `doorDir/secret`: 43 characters, base64url, without a line end. Who can
 * read it is the user of the daemon, on this machine. A new one is made at every start.
 */
export class LocalSecret {
  readonly #places: Pick<Places, 'doorDir'>;
  #text = makeSecret();
  #generation = 0;
  #isPublished = false;
  /** Worked out when the first device asks, since most starts see none. */
  #verifier: Promise<Verifier> | undefined;

  constructor(places: Pick<Places, 'doorDir'>) {
    this.#places = places;
    guarded(places.doorDir, () => makePrivateDirectory(places.doorDir));
    this.#publish();
  }

  /** Contract: HOME_UNSAFE or AUTHORITY_UNUSABLE while the file of a used one cannot be replaced. */
  async current(): Promise<LocalVerifier> {
    this.#publish();
    const generation = this.#generation;
    this.#verifier ??= derive(this.#text);
    return { verifier: await this.#verifier, generation };
  }

  /**
   * Uses it up. Contract: false when it was used already; afterwards there is another one, also
   * when writing that fails.
   */
  use(generation: number): boolean {
    if (generation !== this.#generation) return false;
    this.#generation += 1;
    this.#text = makeSecret();
    this.#verifier = undefined;
    this.#isPublished = false;
    this.#publish();
    return true;
  }

  #publish(): void {
    if (this.#isPublished) return;
    const path = join(this.#places.doorDir, 'secret');
    guarded(path, () => replaceForNow(path, this.#text));
    this.#isPublished = true;
  }
}

async function derive(text: string): Promise<Verifier> {
  const { deriveVerifier } = await import('@palyra/pake');
  return deriveVerifier(text);
}
