import type { EntryDraft } from '@palyra/kernel';
import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { type EntryNews, MOST_WAITING_NOTES } from './entry-watch.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };
const never = new AbortController().signal;
const notes = (count: number) => Array.from({ length: count }, () => NOTE);

function sequenceOf(news: EntryNews | undefined): number | string {
  if (news === undefined) return 'nothing';
  return news.kind === 'entry' ? news.note.sequence : `resync ${news.sequence}`;
}

async function take(news: AsyncIterator<EntryNews, void>, count: number) {
  const taken: (number | string)[] = [];
  for (let at = 0; at < count; at += 1) {
    const { value } = await news.next();
    taken.push(sequenceOf(value ?? undefined));
  }
  return taken;
}

describe('watching the journal', () => {
  it('tells of entries still to come, without their payload', async () => {
    await using test = await testGateway();
    await test.journal.append(notes(2));
    const news = test.gateway.journal.watch(0, never);
    const next = news.next();
    const [entry] = await test.journal.append([NOTE]);
    expect((await next).value).toEqual({
      kind: 'entry',
      note: {
        sequence: 3,
        id: entry?.id,
        time: entry?.time,
        kind: 'daemon.stopped',
        actor: 'gateway',
      },
    });
    await news.return(undefined);
  });

  it('begins after the entry that was seen last, and leaves none out', async () => {
    await using test = await testGateway();
    await test.journal.append(notes(700));
    const news = test.gateway.journal.watch(300, never);
    expect(await take(news, 1)).toEqual([301]);
    await test.journal.append(notes(2));
    expect(await take(news, 401)).toEqual(Array.from({ length: 401 }, (_, at) => 302 + at));
    await news.return(undefined);
  });

  it('says that it starts anew to whoever was away for too long', async () => {
    await using test = await testGateway();
    await test.journal.append(notes(1000));
    await test.journal.append(notes(30));
    const news = test.gateway.journal.watch(1, never);
    expect(await take(news, 1)).toEqual(['resync 1030']);
    await test.journal.append(notes(1));
    expect(await take(news, 1)).toEqual([1031]);
    await news.return(undefined);
  });

  it('drops what a slow watcher did not take, tells so once, and goes on from there', async () => {
    await using test = await testGateway();
    const news = test.gateway.journal.watch(0, never);
    const first = news.next();
    await test.journal.append([NOTE]);
    expect(sequenceOf((await first).value ?? undefined)).toBe(1);
    await test.journal.append(notes(MOST_WAITING_NOTES));
    await test.journal.append(notes(9));
    expect(await take(news, 1)).toEqual([`resync ${MOST_WAITING_NOTES + 10}`]);
    await test.journal.append(notes(2));
    expect(await take(news, 2)).toEqual([MOST_WAITING_NOTES + 11, MOST_WAITING_NOTES + 12]);
    await news.return(undefined);
  });

  it('ends when its caller is gone', async () => {
    await using test = await testGateway();
    const gone = new AbortController();
    const news = test.gateway.journal.watch(0, gone.signal);
    const next = news.next();
    gone.abort(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
  });
});
