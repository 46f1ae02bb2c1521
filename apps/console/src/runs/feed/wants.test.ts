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
  wants.heard('a', 9n);
  expect(wants.together()[0]).toEqual({ runId: 'a', after: 9n });
  wants.over('a');
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
