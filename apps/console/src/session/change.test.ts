import { expect, it } from 'vitest';
import { type SessionChange, onChangeElsewhere } from './change.ts';

it('whoever asks after another tab has told is told at once, and of the next change when it comes', async () => {
  using elsewhere = closing(new BroadcastChannel('palyra.session'));
  const [first, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onChangeElsewhere(() => first.resolve());
  elsewhere.channel.postMessage('ended');
  await first.promise;
  const told: SessionChange[] = [];
  onChangeElsewhere((change) => {
    told.push(change);
    if (change === 'opened') next.resolve();
  });
  expect(told).toEqual(['ended']);
  elsewhere.channel.postMessage('opened');
  await next.promise;
  expect(told).toEqual(['ended', 'opened']);
});

function closing(channel: BroadcastChannel): Disposable & { readonly channel: BroadcastChannel } {
  return { channel, [Symbol.dispose]: () => channel.close() };
}
