import { create, toJson } from '@bufbuild/protobuf';
import { cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type EntryDraft, isJsonObject, type JsonObject } from '@palyra/kernel';
import {
  DecisionKind,
  ModelMessageSchema,
  ToolDecisionSchema,
  ToolOutcome,
  ToolResultSchema,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { draft, fill, message, started, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from './index.ts';
import { migrateStore } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVER = new Date(0);

function object(json: unknown): JsonObject {
  if (!isJsonObject(json)) throw new TypeError('a message is an object');
  return json;
}

/** As policy leaves it, with everything in it that looks like what is counted. */
function decided(kind: DecisionKind, ...ruleIds: string[]): JsonObject {
  const lookalike = { kind: 'DECISION_KIND_ALLOW', ruleIds: ['not-this'], usage: {} };
  const asked = { action: 'call', context: lookalike };
  const reason = '"kind":"DECISION_KIND_ALLOW","ruleIds":["nor-this"]';
  return object(
    toJson(ToolDecisionSchema, create(ToolDecisionSchema, { kind, reason, asked, ruleIds })),
  );
}

function used(inputTokens: bigint, outputTokens: bigint, costMicroUsd: bigint): JsonObject {
  const usage = { inputTokens, outputTokens, costMicroUsd };
  const text = '"usage":{"inputTokens":"9"}';
  return object(toJson(ModelMessageSchema, create(ModelMessageSchema, { text, usage })));
}

function ended(outcome: ToolOutcome): JsonObject {
  const output = '"outcome":"TOOL_OUTCOME_FAILED"';
  return object(toJson(ToolResultSchema, create(ToolResultSchema, { outcome, output })));
}

/** One of each that counts, and some that do not. */
function story(temp: TempJournal): EntryDraft[] {
  const run = { runId: temp.ids.next<'run'>() };
  return [
    draft('run.queued', run, started),
    draft('run.started', run, started),
    draft('model.message', run, used(10n, 5n, 700n)),
    message('a script says so', run),
    draft('tool.decided', run, decided(DecisionKind.ALLOW, 'allow-reads')),
    draft('tool.finished', run, ended(ToolOutcome.SUCCEEDED)),
    draft('approval.asked', run, {}),
    draft('tool.decided', run, decided(DecisionKind.DENY, 'äpfel "x"', 'allow-reads')),
    draft('tool.decided', run, decided(DecisionKind.DENY)),
    draft('tool.finished', run, ended(ToolOutcome.FAILED)),
    draft('tool.finished', run, ended(ToolOutcome.TIMED_OUT)),
    draft('run.compacted', run, { summary: 's', usage: { inputTokens: '3', outputTokens: '1' } }),
    draft('run.ended', run, { status: 'RUN_STATUS_COMPLETED' }),
  ];
}

const STORY = {
  runs: 1,
  callsAllowed: 1,
  callsAsked: 1,
  callsDenied: 2,
  callsFailed: 2,
  tokens: 19,
  costMicroUsd: 700,
};

function rows(temp: TempJournal, table: string): unknown[] {
  using database = new DatabaseSync(temp.places.storeFile, { readOnly: true });
  return database.prepare(`SELECT * FROM ${table}`).all();
}

describe('activity', () => {
  it('is counted by the hour, at once and also when it is in the tables', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append(story(temp));
    temp.nowMs += HOUR;
    await journal.append(story(temp));
    const both = [
      { start: new Date('2026-01-02T00:00:00Z'), ...STORY },
      { start: new Date('2026-01-02T01:00:00Z'), ...STORY },
    ];
    expect(await journal.activity.hours(EVER)).toEqual(both);
    expect(rows(temp, 'activity_hours')).toEqual([]);
    await fill(journal);
    await journal.append([message('written')]);
    expect(rows(temp, 'activity_hours')).toHaveLength(2);
    expect(await journal.activity.hours(EVER)).toEqual(both);
    await journal.append(story(temp));
    const [, later] = await journal.activity.hours(EVER);
    expect(later).toMatchObject({ runs: 2, callsDenied: 4, tokens: 38 });
    const since = new Date('2026-01-02T01:59:00Z');
    expect(await journal.activity.hours(since)).toHaveLength(1);
  });

  it('is counted by rule, with the last time that it decided', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append(story(temp));
    temp.nowMs += 2 * DAY;
    const [last] = await journal.append([
      draft('tool.decided', { runId: temp.ids.next<'run'>() }, decided(DecisionKind.DENY, 'late')),
    ]);
    await fill(journal);
    await journal.append([message('written')]);
    await journal.append(story(temp).slice(7, 8));
    const rules = await journal.activity.rules(EVER);
    expect(rules.map(({ ruleId, count }) => [ruleId, count])).toEqual([
      ['allow-reads', 3],
      ['äpfel "x"', 2],
      ['late', 1],
    ]);
    expect(rules.at(-1)?.lastAt).toBe(last?.time);
    const today = await journal.activity.rules(new Date('2026-01-04T12:00:00Z'));
    expect(Object.fromEntries(today.map(({ ruleId, count }) => [ruleId, count]))).toEqual({
      late: 1,
      'allow-reads': 1,
      'äpfel "x"': 1,
    });
  });

  it('survives the end of the daemon and a crash, and nothing is counted twice', async () => {
    using temp = new TempJournal();
    using crashed = new TempJournal();
    {
      await using journal = await temp.open();
      await journal.append(story(temp));
      cpSync(temp.home, crashed.home, { recursive: true });
    }
    for (const home of [temp, crashed]) {
      {
        await using journal = await home.open();
        expect(await journal.activity.hours(EVER)).toMatchObject([STORY]);
      }
      expect(await verifyStore(home.places)).toMatchObject({ verdict: 'intact' });
    }
  });

  it('counts no more than can be, whatever a message claims', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open();
      const claim = used(2n ** 63n, 1n, 2n ** 63n);
      await journal.append([draft('model.message', { runId: temp.ids.next<'run'>() }, claim)]);
      const odd = { usage: { inputTokens: -1, outputTokens: 'x', costMicroUsd: 1.5 } };
      await journal.append([{ ...message(''), payload: odd }]);
      const [hour] = await journal.activity.hours(EVER);
      expect(hour).toMatchObject({ tokens: 1_000_000_000_001, costMicroUsd: 1_000_000_000_000 });
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('keeps the newest 9600 hours and 35 days', async () => {
    using temp = new TempJournal();
    const run = { runId: temp.ids.next<'run'>() };
    const first = Date.UTC(2026, 0, 2);
    {
      await using journal = await temp.open();
      for (let day = 0; day < 40; day += 1) {
        temp.nowMs = first + day * DAY;
        await journal.append([
          draft('tool.decided', run, decided(DecisionKind.DENY, `rule ${day % 2}`)),
        ]);
      }
    }
    expect(rows(temp, 'rule_days')).toHaveLength(35);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    {
      using database = new DatabaseSync(temp.places.storeFile);
      const insert = database.prepare('INSERT INTO activity_hours VALUES (?, 1, 0, 0, 0, 0, 0, 0)');
      database.exec('BEGIN');
      for (let hour = 1; hour <= 9560; hour += 1) {
        insert.run(new Date(first - hour * HOUR).toISOString().slice(0, 13));
      }
      database.exec('COMMIT');
    }
    {
      await using journal = await temp.open();
      temp.nowMs = first + 41 * DAY;
      await journal.append(story(temp));
    }
    expect(rows(temp, 'activity_hours')).toHaveLength(9600);
    const since = new Date(first - 9560 * HOUR);
    await using journal = await temp.open();
    const [oldest] = await journal.activity.hours(since);
    expect(oldest?.start).toEqual(new Date(first - 9559 * HOUR));
  });

  it('stays when the entries that were counted are archived', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open({ segment_bytes: 4096 });
      for (let at = 0; at < 4; at += 1) await journal.append(story(temp));
      const end = journal.tip().sequence + 1;
      expect((await journal.archive(end, 'user:ada')).segments).not.toEqual([]);
      await journal.append(story(temp));
      expect(await journal.activity.hours(EVER)).toMatchObject([{ runs: 5, callsDenied: 10 }]);
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    {
      using database = new DatabaseSync(temp.places.storeFile);
      database.exec('UPDATE activity_hours SET calls_denied = 0');
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
  });

  it.each([1, 2, 3, 4])(
    'is counted from the entries in a store that version %i has left',
    async (version) => {
      using temp = new TempJournal();
      {
        await using journal = await temp.open();
        await journal.append(story(temp));
        temp.nowMs += DAY;
        await journal.append(story(temp));
      }
      const expected = [rows(temp, 'activity_hours'), rows(temp, 'rule_days')];
      const file = temp.places.storeFile;
      {
        // What later versions have added goes, as if it had never been there.
        using database = new DatabaseSync(file);
        database.exec(
          'PRAGMA journal_mode = DELETE; DROP TABLE activity_hours; DROP TABLE rule_days',
        );
        if (version < 4) {
          database.exec(`DROP INDEX runs_active; ALTER TABLE runs DROP COLUMN stop_reason;
            CREATE INDEX runs_active ON runs (status) WHERE status = 1`);
        }
        if (version < 3) database.exec('DROP TABLE projection');
        if (version < 2) database.exec('DROP TABLE records');
        database.exec(`PRAGMA user_version = ${version}`);
      }
      migrateStore(file, MIGRATIONS);
      expect([rows(temp, 'activity_hours'), rows(temp, 'rule_days')]).toEqual(expected);
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    },
  );
});
