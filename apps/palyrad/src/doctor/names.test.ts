import { describe, expect, it } from 'vitest';
import { uncovered } from './names.ts';

const ALLOWED = ['palyra.internal', 'localhost', '127.0.0.1', '::1', 'lan.example', '192.0.2.7'];

describe('the names of the gateway', () => {
  it.each([
    ['lan.example', []],
    ['Gateway.LAN.example', []],
    ['192.0.2.7', []],
    ['0:0:0:0:0:0:0:1', []],
    ['192.0.2.8', ['192.0.2.8']],
    ['other.example', ['other.example']],
    ['evillan.example', ['evillan.example']],
    ['2001:db8::1', ['2001:db8::1']],
  ])('`%s` is covered by the authority or named as not', (name, missing) => {
    expect(uncovered([name], ALLOWED)).toEqual(missing);
  });
});
