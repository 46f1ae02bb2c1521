import { describe, expect, it } from 'vitest';
import { rangeOfName } from './name-range.ts';

describe('the range of a name', () => {
  it.each([
    ['localhost', 'loopback'],
    ['a.localhost', 'loopback'],
    ['ip6-localhost', 'loopback'],
    ['localhost.example', 'name'],
    ['notlocalhost', 'name'],
    ['localhosts', 'name'],
    ['metadata.google.internal', 'metadata'],
    ['metadata', 'metadata'],
    ['metadata.google.internal.example', 'name'],
    ['xmetadata.google.internal', 'name'],
    ['127.0.0.1.nip.io', 'name'],
    ['example.com', 'name'],
  ])('the name %s leads to %s', (name, range) => {
    expect(rangeOfName(name)).toBe(range);
  });
});
