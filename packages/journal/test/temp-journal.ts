import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  createIds,
  type EntryDraft,
  type JsonObject,
  type Places,
  placesFor,
  type RunId,
  type SessionId,
} from '@palyra/kernel';
import { type Journal, type JournalSettings, journalSection, openJournal } from '../src/index.ts';

/** A journal of its own in a directory of its own, gone with the test. */
export class TempJournal implements Disposable {
  readonly home: string;
  readonly places: Places;
  readonly clock: Clock;
  nowMs = Date.UTC(2026, 0, 2);
  readonly ids;

  constructor() {
    this.home = mkdtempSync(join(tmpdir(), 'palyra journal '));
    const places = placesFor({ PALYRA_HOME: this.home });
    if (places === undefined) throw new TypeError('a temporary home has places');
    this.places = places;
    this.clock = { now: () => new Date((this.nowMs += 1)), sleep: () => Promise.resolve() };
    this.ids = createIds(this.clock);
  }

  open(settings: Partial<JournalSettings> = {}): Promise<Journal> {
    const { places, clock, ids } = this;
    return openJournal({ places, clock, ids, settings: journalSection.parse(settings) });
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export function message(text: string, run?: { runId: RunId; sessionId?: SessionId }): EntryDraft {
  return { kind: 'model.message', actor: 'principal:local', payload: { text }, ...run };
}

export function draft(
  kind: EntryDraft['kind'],
  run: { runId: RunId; sessionId?: SessionId },
  payload: JsonObject = {},
): EntryDraft {
  return { kind, actor: 'principal:local', payload, ...run };
}

export const started = { prompt: 'list the files', model: 'script', principal: 'local' };

/** As many entries as the tables may be behind. */
export async function fill(journal: Journal): Promise<void> {
  const quarter = Array.from({ length: 1024 }, () => message('filler'));
  for (let place = 0; place < 4; place += 1) await journal.append(quarter);
}
