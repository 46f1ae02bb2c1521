import { describe, expect, it } from 'vitest';
import { rangeOf, readAddress } from './address.ts';

describe('the range of an address', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['9.255.255.255', 'public'],
    ['10.0.0.0', 'private'],
    ['100.64.0.0', 'private'],
    ['100.100.100.200', 'metadata'],
    ['127.255.255.255', 'loopback'],
    ['168.63.129.16', 'metadata'],
    ['169.254.0.0', 'link_local'],
    ['169.254.169.254', 'metadata'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', 'public'],
    ['192.0.2.1', 'special'],
    ['192.168.255.255', 'private'],
    ['198.18.0.0', 'special'],
    ['224.0.0.1', 'special'],
    ['255.255.255.255', 'special'],
    ['0.0.0.0', 'special'],
    ['::', 'special'],
    ['::1', 'loopback'],
    ['::7f00:1', 'translated'],
    ['::ffff:7f00:1', 'translated'],
    ['::ffff:8.8.8.8', 'translated'],
    ['64:ff9b::808:808', 'translated'],
    ['64:ff9b:1::a00:1', 'translated'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'translated'],
    ['2002:7f00:1::', 'translated'],
    ['2001:db8::1', 'special'],
    ['2606:4700::1111', 'public'],
    ['4000::', 'special'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link_local'],
    ['fec0::1', 'private'],
    ['ff02::1', 'special'],
    ['fe80::1%eth0', undefined],
    ['08.8.8.8', undefined],
    ['8.8.8', undefined],
    ['8.8.8.256', undefined],
    ['example.com', undefined],
    ['', undefined],
  ])('of %s is %s', (address, range) => {
    expect(rangeOf(address)).toBe(range);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2606:4700:0::1111', '2606:4700::1111'],
    ['FE80::1', 'fe80::1'],
    ['::ffff:127.0.0.1', undefined],
    ['::ffff:7f00:1', undefined],
    ['[::1]', undefined],
  ])('%s is written %s', (text, address) => {
    expect(readAddress(text)).toBe(address);
  });
});
