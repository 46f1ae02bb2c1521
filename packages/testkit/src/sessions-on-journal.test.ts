import { createIds, parseId, systemClock } from '@palyra/kernel';
import {
  type Journal,
  journalSection,
  openJournal,
  openSigner,
  verifyStore,
} from '@palyra/journal';
import { type Sessions, createSessions } from '@palyra/sessions';
import { describe, expect, it } from 'vitest';
import { type TempHome, tempHome } from './temp-home.ts';

const actor = 'user:ada via device:laptop';
const principal = 'user:ada';
const workspace = '/workspace';

interface Opened extends AsyncDisposable {
  readonly sessions: Sessions;
  readonly journal: Journal;
}

async function opened(home: TempHome): Promise<Opened> {
  const clock = systemClock();
  const ids = createIds(clock);
  const { places } = home;
  const signer = await openSigner(places);
  const settings = journalSection.parse({});
  const journal = await openJournal({ places, clock, ids, signer, settings });
  const sessions = createSessions({ records: journal.records, clock, ids });
  return { sessions, journal, [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose]() };
}

function idOf({ sessionId }: { readonly sessionId: string }) {
  const id = parseId<'session'>(sessionId);
  if (id === undefined) throw new TypeError('a session has an id');
  return id;
}

describe('sessions', () => {
  it('are what they were made after a restart, with an entry for each change', async () => {
    await using home = await tempHome();
    let id;
    {
      await using at = await opened(home);
      id = idOf(await at.sessions.create({ title: 'first', principal, workspace }, actor));
      await at.sessions.rename(id, 'the first', actor);
      await at.sessions.archive(id, actor);
      await at.sessions.archive(id, actor);
    }
    await using after = await opened(home);
    expect(await after.sessions.find(id)).toMatchObject({
      title: 'the first',
      principal,
      archivedAt: expect.stringMatching(/Z$/),
    });
    const entries = await after.journal.page({ after: 0, limit: 50 });
    expect(entries.filter(({ kind }) => kind.startsWith('session.'))).toMatchObject([
      { kind: 'session.created', actor, payload: { session: { title: 'first' } } },
      { kind: 'session.renamed', actor, payload: { session: { title: 'the first' } } },
      { kind: 'session.archived', actor },
    ]);
    expect(await verifyStore(home.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are listed newest first, page before page, without those that are archived', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const { sessions } = at;
    const made = [];
    for (let place = 0; place < 12; place += 1) {
      made.push(idOf(await sessions.create({ title: `${place}`, principal, workspace }, actor)));
    }
    for (const id of made.slice(5, 9)) await sessions.archive(id, actor);
    const titles = async (query: Parameters<Sessions['list']>[0]) =>
      (await sessions.list(query)).map(({ title }) => title);
    expect(await titles({ limit: 3, archived: 'included' })).toEqual(['11', '10', '9']);
    expect(await titles({ limit: 5, archived: 'left-out' })).toEqual(['11', '10', '9', '4', '3']);
    const [before] = made.slice(3);
    expect(before).toBeDefined();
    if (before === undefined) return;
    expect(await titles({ limit: 9, before, archived: 'left-out' })).toEqual(['2', '1', '0']);
  });

  it('of one principal are found among those of others', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const token = 'token:ci';
    const own = idOf(
      await at.sessions.create({ title: 'own', principal: token, workspace }, token),
    );
    for (let place = 0; place < 3; place += 1) {
      await at.sessions.create({ title: `${place}`, principal, workspace }, actor);
    }
    const query = { limit: 1, archived: 'included', principal: token } as const;
    expect(await at.sessions.list(query)).toMatchObject([{ sessionId: own }]);
    expect(await at.sessions.list({ ...query, principal: 'token:other' })).toEqual([]);
  });

  it('change one after the other when many change one at once', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const id = idOf(await at.sessions.create({ title: '', principal, workspace }, actor));
    await Promise.all(['a', 'b', 'c', 'd'].map((title) => at.sessions.rename(id, title, actor)));
    const kinds = (await at.journal.page({ after: 0, limit: 50 })).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'session.renamed')).toHaveLength(4);
  });

  it('that are not there cannot be changed', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const id = createIds(systemClock()).next<'session'>();
    const missing = { code: 'NOT_FOUND' };
    await expect(at.sessions.rename(id, 'x', actor)).rejects.toMatchObject(missing);
    await expect(at.sessions.archive(id, actor)).rejects.toMatchObject(missing);
    expect(await at.sessions.find(id)).toBeUndefined();
    expect(at.journal.tip().sequence).toBe(0);
  });
});
