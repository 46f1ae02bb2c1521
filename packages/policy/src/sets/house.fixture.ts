import { type JournalKind, type SealedEntry, systemClock } from '@palyra/kernel';
import { type QuietLog, type TestGateway, quietLog, testGateway } from '@palyra/testkit';
import type { Mode } from '../model.ts';
import { Compilers } from './compilers.ts';
import { LayerDirectories } from './directory.fixture.ts';
import type { InForce } from './force-holder.ts';
import { type Sets, createSets } from './sets.ts';

/** One for all houses of a test file: to start a process takes longer than what it does. */
const compilers = new Compilers();

export async function openHouse(): Promise<House> {
  return new House(await testGateway());
}

/** Sets on a real store and in real directories. */
class House implements AsyncDisposable {
  readonly gateway: TestGateway;
  readonly layers = new LayerDirectories();
  readonly log: QuietLog = quietLog();
  #sets: Sets | undefined;

  constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  get sets(): Sets {
    if (this.#sets === undefined) throw new Error('it was not started');
    return this.#sets;
  }

  async start(mode: Mode = 'ask', tools: readonly string[] = ['fs.read', 'fs.write']) {
    this.#sets = createSets({
      dirs: this.layers.dirs,
      records: this.gateway.journal.records,
      clock: systemClock(),
      log: this.log,
      mode,
      tools: { names: new Set(tools), prefixes: [] },
      compilers,
    });
    await this.#sets.start();
    return { hash: this.inForce().set.hash };
  }

  async restart(mode?: Mode, tools?: readonly string[]) {
    await this.#sets?.[Symbol.asyncDispose]();
    return this.start(mode, tools);
  }

  inForce(): InForce {
    const inForce = this.sets.inForce();
    if (inForce === undefined) throw new Error('nothing is in force');
    return inForce;
  }

  nextChange(): Promise<InForce> {
    return new Promise((resolve) => {
      const forget = this.sets.onChange((inForce) => {
        forget();
        resolve(inForce);
      });
    });
  }

  async entries(kind: JournalKind): Promise<readonly SealedEntry[]> {
    const entries = await this.gateway.journal.page({ after: 0, limit: 1000 });
    return entries.filter((entry) => entry.kind === kind);
  }

  async told(kind: JournalKind) {
    return (await this.entries(kind)).map(({ payload }) => payload);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sets?.[Symbol.asyncDispose]();
    await this.gateway[Symbol.asyncDispose]();
    this.layers[Symbol.dispose]();
  }
}
