import { expect, it } from 'vitest';
import { formatPin, parsePin } from './pin.ts';

it('a PIN is shown in two halves', () => {
  expect(formatPin('012345')).toBe('012 345');
});

it.each(['012345', '012 345', '012-345', ' 012 345\n'])('a PIN is read from %j', (text) => {
  expect(parsePin(text)).toBe('012345');
});

it.each(['', '12345', '1234567', '12 3456', '01234a', '٠١٢٣٤٥'])(
  'a PIN is not read from %j',
  (text) => {
    expect(parsePin(text)).toBeUndefined();
  },
);
