import { describe, expect, it } from 'vitest';
import { crowdedOut } from './admission.ts';

const from = (remoteAddress: string) => ({ remoteAddress });

describe('when too many handshakes are under way', () => {
  it('the oldest of the network with the most of them is cut', () => {
    const first = from('198.51.100.7');
    const flood = [from('203.0.113.1'), from('203.0.113.1'), from('203.0.113.1')];
    expect(crowdedOut([first, ...flood])).toBe(flood[0]);
  });

  it('addresses of one IPv6 network count as one', () => {
    const flood = [from('2001:db8::1'), from('2001:db8::2'), from('2001:db8:0:0:5::9')];
    expect(crowdedOut([from('2001:db8:1::1'), from('2001:db8:2::1'), ...flood])).toBe(flood[0]);
  });

  it('an IPv4 address counts as itself, however it is written', () => {
    const flood = [from('::ffff:203.0.113.1'), from('203.0.113.1')];
    expect(crowdedOut([from('198.51.100.7'), ...flood])).toBe(flood[0]);
  });
});
