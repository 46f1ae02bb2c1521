import { expect, it } from 'vitest';
import { Wants } from './wants.ts';

it('a run is asked for once, from where the tab that knows least has come to', async () => {
  const wants = new Wants();
  wants.set('one', [{ runId: 'a', after: 7n }]);
  wants.set('two', [
    { runId: 'a', after: 3n },
    { runId: 'b', after: 0n },
  ]);
  expect(wants.together()).toEqual([
    { runId: 'a', after: 3n },
    { runId: 'b', after: 0n },
  ]);
  wants.heard('a', { after: 3n, sequence: 9n });
  expect(wants.together()[0]).toEqual({ runId: 'a', after: 9n });
  wants.over('a', 9n);
  await wants.keepOnly(async () => new Set(['one']));
  expect(wants.together()).toEqual([]);
});

it('a tab that speaks while tabs are counted is there, whoever was counted', async () => {
  const wants = new Wants();
  const wanted = [{ runId: 'a', after: 0n }];
  wants.set('one', wanted);
  wants.set('gone', [{ runId: 'b', after: 0n }]);
  const counted = Promise.withResolvers<ReadonlySet<string>>();
  const kept = wants.keepOnly(() => counted.promise);
  wants.set('one', wanted);
  counted.resolve(new Set());
  await kept;
  expect(wants.together()).toEqual(wanted);
  await wants.keepOnly(async () => new Set());
  expect(wants.together()).toEqual([]);
});

it('who comes in the middle of a run still wants what was told before, also when it ends', () => {
  const wants = new Wants();
  wants.set('one', [{ runId: 'a', after: 0n }]);
  wants.heard('a', { after: 0n, sequence: 2n });
  wants.set('late', [{ runId: 'a', after: 0n }]);
  wants.heard('a', { after: 2n, sequence: 5n });
  wants.over('a', 5n);
  expect(wants.together()).toEqual([{ runId: 'a', after: 0n }]);
  wants.heard('a', { after: 0n, sequence: 2n });
  wants.heard('a', { after: 2n, sequence: 5n });
  wants.over('a', 5n);
  expect(wants.together()).toEqual([]);
});

it('a tab that hears a run twice hears it from where it knows less', async () => {
  const wants = new Wants();
  wants.set('one', [{ runId: 'a', after: 5n }]);
  const again = wants.changed;
  const [less, more] = [
    { runId: 'a', after: 0n },
    { runId: 'a', after: 5n },
  ];
  wants.set('one', [less, more]);
  await again;
  expect(wants.together()).toEqual([less]);
});

it('only what is new has to be asked for', async () => {
  const wants = new Wants();
  const told: string[] = [];
  const first = wants.changed.then(() => told.push('first'));
  wants.set('one', [{ runId: 'a', after: 0n }]);
  await first;
  const second = wants.changed.then(() => told.push('second'));
  wants.set('one', [{ runId: 'a', after: 4n }]);
  wants.set('two', []);
  wants.set('one', []);
  await Promise.resolve();
  expect(told).toEqual(['first']);
  wants.set('two', [{ runId: 'a', after: 0n }]);
  await second;
  expect(told).toEqual(['first', 'second']);
});
