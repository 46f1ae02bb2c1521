import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ChainPoint,
  createIds,
  GENESIS,
  type Places,
  placesFor,
  systemClock,
} from '@palyra/kernel';
import { type Random, randomFrom } from '@palyra/testkit';
import { type Journal, journalSection, openJournal, verifyStore } from '../src/index.ts';
import { bundleWriter } from './bundle-writer.ts';
import { type KillMoment, runWriter } from './run-writer.ts';

export interface CampaignOptions {
  readonly seed: number;
  readonly crashes: number;
  readonly say: (line: string) => void;
}

export interface CampaignResult {
  readonly crashes: number;
  readonly acknowledged: number;
  /** Every promise that was broken; empty is the only good ending. */
  readonly violations: readonly string[];
}

/** Stores that are crashed side by side: while one is being read, another writes. */
const STORES = 2;
const PAGE_ENTRIES = 1000;

/**
 * Kills writers at random moments under load, again and again on the same stores. After each crash
 * everything since the one before is looked at; at the end every store is verified as a whole.
 */
export async function crashCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, crashes, say } = options;
  say(`crash campaign: seed ${seed}, ${crashes} crashes`);
  const folder = mkdtempSync(join(tmpdir(), 'palyra-crash-'));
  try {
    const writer = await bundleWriter(folder);
    const results = await Promise.all(
      Array.from({ length: STORES }, (_, store) => {
        const own = Math.floor((crashes + store) / STORES);
        const random = randomFrom(seed + store);
        return crashOneStore({ home: join(folder, `${store}`), crashes: own, random, writer });
      }),
    );
    return {
      crashes: sum(results.map((result) => result.crashes)),
      acknowledged: sum(results.map((result) => result.acknowledged)),
      violations: results.flatMap((result, store) =>
        result.violations.map((violation) => `store ${store}, ${violation}`),
      ),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface OneStore {
  readonly home: string;
  readonly crashes: number;
  readonly random: Random;
  readonly writer: string;
}

async function crashOneStore(options: OneStore): Promise<CampaignResult> {
  const { home, crashes, random, writer } = options;
  const places = placesFor({ PALYRA_HOME: home });
  if (places === undefined) throw new TypeError('a temporary home has places');
  const violations: string[] = [];
  let known = GENESIS;
  let acknowledged = 0;
  for (let crash = 1; crash <= crashes; crash += 1) {
    const result = await runWriter({ home, writer, kill: killMoment(crash, random) });
    acknowledged += result.acknowledged.size;
    const found: string[] = [];
    if (!result.isKilled) found.push(`it ended by itself: ${result.failure ?? result.stderr}`);
    known = await lookSince(known, places, { acknowledged: result.acknowledged, found });
    violations.push(...found.map((violation) => `crash ${crash}: ${violation}`));
  }
  violations.push(...(await lookAtAll(places)));
  return { crashes, acknowledged, violations };
}

/** Most die under load; some while they still mend what the crash before has left. */
function killMoment(crash: number, random: Random): KillMoment {
  if (crash % 8 === 0) return { afterMs: Math.floor(random() * 400) };
  // The log is copied after some two thousand: some die around then.
  if (crash % 10 === 0) return { acknowledged: 1500 + Math.floor(random() * 1500) };
  return { acknowledged: Math.floor(random() * 400) };
}

/** Contract: what it finds is what a daemon would see; every promise that was broken. */
export async function checkAfterCrash(
  places: Places,
  acknowledged: ReadonlyMap<number, string>,
): Promise<string[]> {
  const found: string[] = [];
  await lookSince(GENESIS, places, { acknowledged, found });
  return [...found, ...(await lookAtAll(places))];
}

interface Looking {
  readonly acknowledged: ReadonlyMap<number, string>;
  /** What is wrong is added here. */
  readonly found: string[];
}

/** Opens the journal as a daemon would. Contract: gives the newest entry, for the next look. */
async function lookSince(
  known: ChainPoint,
  places: Places,
  { acknowledged, found }: Looking,
): Promise<ChainPoint> {
  const clock = systemClock();
  const settings = journalSection.parse({});
  await using journal = await openJournal({ places, clock, ids: createIds(clock), settings });
  const there = new Map<number, string>();
  let before = known;
  for await (const entry of entriesAfter(known, journal)) {
    if (entry.sequence !== before.sequence + 1 || entry.previousHash !== before.hash) {
      found.push(`entry ${entry.sequence} does not follow entry ${before.sequence}`);
    }
    there.set(entry.sequence, entry.hash);
    before = entry;
  }
  for (const [sequence, hash] of acknowledged) {
    if (there.get(sequence) !== hash) found.push(`acknowledged entry ${sequence} is lost`);
  }
  return { sequence: before.sequence, hash: before.hash };
}

async function* entriesAfter({ sequence }: ChainPoint, journal: Journal) {
  for (let after = sequence; ;) {
    const page = await journal.page({ after, limit: PAGE_ENTRIES });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = last.sequence;
  }
}

async function lookAtAll(places: Places): Promise<string[]> {
  const report = await verifyStore(places);
  return report.verdict === 'broken' ? [`${report.fault.sequence}: ${report.fault.reason}`] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
