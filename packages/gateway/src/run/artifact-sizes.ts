import { type RunId, isJsonObject } from '@palyra/kernel';
import type { JournalPort } from '../ports.ts';
import { entriesOfRun } from './watch.ts';

/** As many artifacts as are read at once, and more; each takes a line of text. */
const MOST_KEPT = 256;

/**
 * How large what a run left is, which is also whether it left it. An artifact is read page by page, and
 * the run's entries are not gone through again for each. INVARIANT: only what the journal tells is kept,
 * so whatever a run leaves later is found; who may see the run is asked by whoever asks here.
 */
export class ArtifactSizes {
  readonly #journal: JournalPort;
  /** The one that was asked for last comes last. */
  readonly #kept = new Map<string, number>();

  constructor(journal: JournalPort) {
    this.#journal = journal;
  }

  async find(runId: RunId, sha256: string): Promise<number | undefined> {
    const key = `${runId} ${sha256}`;
    const size = this.#kept.get(key) ?? (await sizeIn(runId, sha256, this.#journal));
    if (size !== undefined) this.#keep(key, size);
    return size;
  }

  #keep(key: string, size: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, size);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

async function sizeIn(
  runId: RunId,
  sha256: string,
  journal: JournalPort,
): Promise<number | undefined> {
  for await (const { kind, payload } of entriesOfRun(runId, 0, journal)) {
    if (kind === 'tool.finished' && payload['artifactSha256'] === sha256) {
      return sizeOf(payload['artifactBytes']);
    }
    if (kind !== 'run.started' && kind !== 'run.queued') continue;
    const { images } = payload;
    const sent = Array.isArray(images) ? images.filter(isJsonObject) : [];
    const image = sent.find((note) => note['sha256'] === sha256);
    if (image !== undefined) return sizeOf(image['size']);
  }
  return undefined;
}

/** 64 bits are a text in JSON. */
function sizeOf(value: unknown): number {
  const bytes = Number(value);
  return Number.isSafeInteger(bytes) ? bytes : 0;
}
