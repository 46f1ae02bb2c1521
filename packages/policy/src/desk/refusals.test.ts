import { PalyraError } from '@palyra/kernel';
import { quietLog, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { type JournalPart, Refusals, type Refused } from './refusals.ts';

const refused: Refused = {
  principal: 'user:ada',
  actor: 'user:ada via device:d',
  channel: 'cli',
  deviceId: 'd',
  action: 'work.stop',
  asked: {
    principal: { type: 'User', id: 'ada' },
    action: 'work.stop',
    resource: { type: 'Work', id: 'user:bob' },
    context: { device: 'd' },
    entities: [],
  },
  reason: 'rule `r` forbids it',
  help: 'ask them',
  ruleIds: ['r'],
  policySetHash: 'a'.repeat(64),
};

async function opened(journal?: JournalPart) {
  const gateway = await testGateway();
  const log = quietLog();
  const time = { now: 0 };
  const used: string[] = [];
  const refusals = new Refusals({
    journal: journal ?? gateway.journal,
    sets: { noteUse: (hash) => void used.push(hash) },
    clock: { now: () => new Date(time.now), sleep: () => Promise.resolve() },
    log,
  });
  const entries = async () => {
    const all = await gateway.journal.page({ after: 0, limit: 2_000 });
    return all.filter(({ kind }) => kind === 'access.refused');
  };
  return { gateway, log, time, used, refusals, entries };
}

describe('a refusal', () => {
  it('is an entry with everything that it takes to explain it', async () => {
    const { gateway, refusals, entries, used } = await opened();
    await using _ = gateway;
    await refusals.note(refused);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actor: 'user:ada via device:d',
      payload: {
        principal: 'user:ada',
        action: 'work.stop',
        resource: 'runs and sessions of `user:bob`',
        reason: 'rule `r` forbids it',
        help: 'ask them',
        ruleIds: ['r'],
        policySetHash: 'a'.repeat(64),
        channel: 'cli',
        deviceId: 'd',
        policyEngine: 'cedar 4.13.0',
        asked: { action: 'work.stop', resource: { type: 'Work', id: 'user:bob' } },
      },
    });
    expect(used).toEqual(['a'.repeat(64)]);
  });

  it('that repeats itself within a minute is counted in the next entry', async () => {
    const { gateway, refusals, entries, time } = await opened();
    await using _ = gateway;
    for (let tries = 0; tries < 500; tries += 1) await refusals.note(refused);
    await refusals.note({ ...refused, action: 'work.undo' });
    await refusals.note({ ...refused, principal: 'user:eve' });
    expect(await entries()).toHaveLength(3);
    time.now += 60_000;
    await refusals.note(refused);
    const all = await entries();
    expect(all.map(({ payload }) => payload['leftOut'] ?? 0)).toEqual([0, 0, 0, 499]);
  });

  it('is counted also while the entry before it is being written', async () => {
    const written: unknown[] = [];
    const slow: JournalPart = {
      append: async ([draft]) => {
        await Promise.resolve();
        written.push(draft?.payload['leftOut'] ?? 0);
      },
    };
    const { gateway, refusals, time } = await opened(slow);
    await using _ = gateway;
    await Promise.all([refused, refused, refused].map((one) => refusals.note(one)));
    time.now += 60_000;
    await refusals.note(refused);
    expect(written).toEqual([0, 2]);
  });

  it('that cannot be written is logged, counted, and nothing else', async () => {
    let isBroken = true;
    const written: unknown[] = [];
    const failing: JournalPart = {
      append: async ([draft]) => {
        if (isBroken) throw new PalyraError('JOURNAL_UNWRITABLE', 'the disk is full');
        written.push(draft?.payload['leftOut'] ?? 0);
      },
    };
    const { gateway, refusals, time, log } = await opened(failing);
    await using _ = gateway;
    await refusals.note(refused);
    expect(log.lines).toMatchObject([{ message: 'a refusal could not be journaled' }]);
    isBroken = false;
    time.now += 60_000;
    await refusals.note(refused);
    expect(written).toEqual([1]);
  });

  it('of more callers than a minute has room for is told by the log', async () => {
    let written = 0;
    const counting: JournalPart = { append: async () => void (written += 1) };
    const { gateway, refusals, time, log } = await opened(counting);
    await using _ = gateway;
    for (let place = 0; place < 1_010; place += 1) {
      await refusals.note({ ...refused, principal: `token:${place}` });
    }
    expect(written).toBe(1_000);
    time.now += 60_000;
    await refusals.note({ ...refused, principal: 'token:one-more' });
    expect(written).toBe(1_001);
    expect(log.lines).toMatchObject([
      { message: 'refusals that no entry of the journal counts', fields: { count: 10 } },
    ]);
  });

  it('that no entry counted before the end is told by the log', async () => {
    const { gateway, refusals, log } = await opened();
    await using _ = gateway;
    for (let tries = 0; tries < 3; tries += 1) await refusals.note(refused);
    refusals.close();
    expect(log.lines).toMatchObject([{ fields: { count: 2 } }]);
  });
});
