import { Readiness } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { exitOfReadiness } from './status.ts';

it.each([
  [Readiness.READY, 'ok'],
  [Readiness.STARTING, 'busy'],
  [Readiness.DRAINING, 'busy'],
  [Readiness.FAILED, 'failure'],
  [Readiness.UNSPECIFIED, 'busy'],
])('`palyra status` of a gateway in state %i ends as `%s`', (readiness, exit) => {
  expect(exitOfReadiness(readiness)).toBe(exit);
});
