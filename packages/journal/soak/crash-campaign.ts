import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds, type Places, placesFor, systemClock } from '@palyra/kernel';
import { randomFrom } from '@palyra/testkit';
import { journalSection, openJournal, verifyStore } from '../src/index.ts';
import { runWriter } from './run-writer.ts';

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

/**
 * Kills a writer at random moments under load, again and again on the same store, and looks each
 * time whether everything that it had acknowledged is there and the chain intact.
 */
export async function crashCampaign({
  seed,
  crashes,
  say,
}: CampaignOptions): Promise<CampaignResult> {
  say(`crash campaign: seed ${seed}, ${crashes} crashes`);
  const home = mkdtempSync(join(tmpdir(), 'palyra-crash-'));
  const random = randomFrom(seed);
  const violations: string[] = [];
  let acknowledged = 0;
  try {
    const places = placesFor({ PALYRA_HOME: home });
    if (places === undefined) throw new TypeError('a temporary home has places');
    for (let crash = 1; crash <= crashes; crash += 1) {
      // Every fifth goes on for long enough that the log is being copied when it dies.
      const most = crash % 5 === 0 ? 20_000 : 900;
      const after = Math.floor(random() * most);
      const result = await runWriter({ home, killAt: (count) => count >= after });
      acknowledged += result.acknowledged.size;
      const found = await checkAfterCrash(places, result.acknowledged);
      violations.push(...found.map((violation) => `crash ${crash}: ${violation}`));
      if (result.failure !== undefined) violations.push(`crash ${crash}: ${result.failure}`);
      if (crash % 20 === 0) say(`crash ${crash}: ${acknowledged} entries acknowledged so far`);
    }
    return { crashes, acknowledged, violations };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Contract: opens the journal as a daemon would, so what it finds is what a daemon would see. */
export async function checkAfterCrash(
  places: Places,
  acknowledged: ReadonlyMap<number, string>,
): Promise<string[]> {
  const violations: string[] = [];
  {
    const clock = systemClock();
    const settings = journalSection.parse({});
    await using journal = await openJournal({ places, clock, ids: createIds(clock), settings });
    for (const [sequence, hash] of acknowledged) {
      const entry = await journal.find(sequence);
      if (entry?.hash !== hash) violations.push(`acknowledged entry ${sequence} is lost`);
    }
  }
  const report = await verifyStore(places);
  if (report.verdict === 'broken')
    violations.push(`${report.fault.sequence}: ${report.fault.reason}`);
  return violations;
}
