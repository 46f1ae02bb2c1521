import { create } from '@bufbuild/protobuf';
import { PalyraError, type RunId, createIds, systemClock } from '@palyra/kernel';
import { Role, RunEventSchema } from '@palyra/protocol';
import { endlessModel, ownerCaller, talkingModel, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { ModelPort } from '../ports.ts';
import { watchMany } from './watch-many.ts';

const ada = ownerCaller(Role.OWNER);
const ids = createIds(systemClock());
const never = new AbortController().signal;
const from = (runId: RunId, after = 0) => ({ runId, after });

async function stage(model: ModelPort = talkingModel([{ kind: 'text', text: 'yes' }])) {
  const test = await testGateway({ model });
  const start = async () => (await test.gateway.runs.start({ prompt: 'go' }, ada)).runId;
  return { ...test, start };
}

it('several runs are told in one stream, each in its order and to its own end', async () => {
  await using test = await stage();
  const wanted = [await test.start(), await test.start(), await test.start()];
  const stranger = ids.next<'run'>();
  const runs = [...wanted, stranger].map((runId) => from(runId));
  const told = await Array.fromAsync(test.gateway.watchRuns(runs, ada, never));
  for (const runId of wanted) {
    const news = told.filter(({ news: { value } }) => value?.runId === runId);
    const cases = news.map(({ news: one }) =>
      one.case === 'event' ? one.value.event.case : 'end',
    );
    expect(cases.at(0)).toBe('runStarted');
    expect(cases.slice(-3)).toEqual(['modelMessage', 'runEnded', 'end']);
  }
  const ends = told.flatMap(({ news }) => (news.case === 'end' ? [news.value] : []));
  expect(ends.filter(({ error }) => error !== undefined)).toMatchObject([{ runId: stranger }]);
});

it('goes on after the sequence that each was heard to', async () => {
  await using test = await stage();
  const runId = await test.start();
  const all = await Array.fromAsync(test.gateway.runs.watch(from(runId), ada, never));
  const last = Number(all.at(-1)?.sequence);
  const rest = await Array.fromAsync(test.gateway.watchRuns([from(runId, last)], ada, never));
  expect(rest.map(({ news }) => news.case)).toEqual(['end']);
});

it('runs that do not end are heard side by side until they are left', async () => {
  await using test = await stage(endlessModel('more'));
  const [one, other] = [await test.start(), await test.start()];
  const heard = new Set<string>();
  const leaving = new AbortController();
  for await (const { news } of test.gateway.watchRuns(
    [from(one), from(other)],
    ada,
    leaving.signal,
  )) {
    // Of a run that talks faster than it is heard more may never come.
    if (news.case === 'event') heard.add(news.value.runId);
    if (heard.size === 2) break;
  }
  expect(heard).toEqual(new Set([one, other]));
});

it('one run twice, or more than a browser has windows, is refused', async () => {
  await using test = await stage();
  const runId = ids.next<'run'>();
  const many = Array.from({ length: 65 }, () => from(ids.next<'run'>()));
  for (const wanted of [[from(runId), from(runId)], many]) {
    const stream = test.gateway.watchRuns(wanted, ada, never);
    await expect(stream.next()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
});

/** Two runs that never end, of which one may no longer be seen once the rules are others. */
function changingRules() {
  const rules = { revision: 1, left: 0, checks: 0 };
  async function* events(runId: RunId) {
    try {
      for (;;) yield create(RunEventSchema, { runId });
    } finally {
      rules.left += 1;
    }
  }
  const [open, hidden] = [ids.next<'run'>(), ids.next<'run'>()];
  const refuse = async () => {
    throw new PalyraError('PERMISSION_DENIED', 'not any more');
  };
  const count = async () => {
    rules.checks += 1;
  };
  const runs = [
    { runId: open, events: () => events(open), checkSeen: count },
    { runId: hidden, events: () => events(hidden), checkSeen: refuse },
  ];
  return {
    rules,
    open,
    hidden,
    stream: watchMany(runs, { revision: () => rules.revision }, never),
  };
}

it('what was taken before somebody wanted it is told only if the rules still let it be seen', async () => {
  const { rules, open, hidden, stream } = changingRules();
  const take = async () => (await stream.next()).value?.news;
  expect([await take(), await take()].map((news) => news?.case)).toEqual(['event', 'event']);
  rules.revision += 1;
  const after = [await take(), await take(), await take(), await take()];
  expect(after.filter((news) => news?.value?.runId === hidden)).toMatchObject([
    { case: 'end', value: { error: { message: 'not any more' } } },
  ]);
  const told = after.filter((news) => news?.value?.runId === open);
  expect(told.map((news) => news?.case)).toEqual(['event', 'event', 'event']);
  expect(rules).toMatchObject({ checks: 1, left: 1 });
});

it('whoever leaves lets go of every run', async () => {
  const { rules, stream } = changingRules();
  await stream.next();
  await stream.return(undefined);
  expect(rules.left).toBe(2);
});
