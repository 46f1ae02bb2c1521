import { expect, it } from 'vitest';
import { timeOfId } from './time-of-id.ts';

it('an id says when it was made', () => {
  expect(timeOfId('01ARYZ6S41TSV4RRFFQ69G5FAV')).toBe('2016-07-30T22:36:16.385Z');
});

it.each(['', 'hello', '81ARYZ6S41TSV4RRFFQ69G5FAV'])('`%s` says nothing', (text) => {
  expect(timeOfId(text)).toBe('');
});
