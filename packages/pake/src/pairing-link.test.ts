import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PairingLink, encodePairingLink, parsePairingLink } from './pairing-link.ts';

const link: PairingLink = {
  addresses: ['gateway.example:7443', '192.0.2.7:7443', '[2001:db8::7]:7443'],
  authorityFingerprint: 'ab'.repeat(32),
  pairingId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  token: 'A'.repeat(43),
};
const text =
  `palyra-pair:v1?a=gateway.example:7443&a=192.0.2.7:7443&a=[2001:db8::7]:7443` +
  `&f=${'ab'.repeat(32)}&p=01ARZ3NDEKTSV4RRFFQ69G5FAV&t=${'A'.repeat(43)}`;

describe('a pairing link', () => {
  it('has one spelling', () => {
    expect(encodePairingLink(link)).toBe(text);
  });

  it('is read back', () => {
    expect(parsePairingLink(text)).toStrictEqual(link);
  });

  it.each([
    ['nothing', ''],
    ['a web address', `https${text.slice('palyra-pair'.length)}`],
    ['another version', text.replace(':v1?', ':v2?')],
    ['another order', text.replace('&p=', '&q=').replace('&f=', '&p=').replace('&q=', '&f=')],
    ['a field twice', `${text}&t=${'A'.repeat(43)}`],
    ['a field that it does not know', `${text}&x=1`],
    ['no address', text.replace(/a=[^&]*&/g, '')],
    ['more than eight addresses', text.replace('a=g', `${'a=b:1&'.repeat(8)}a=g`)],
    ['a port that is none', text.replace('example:7443', 'example:70000')],
    ['an address with a user in it', text.replace('gateway', 'me@gateway')],
    ['an escaped character', text.replace('gateway', 'g%61teway')],
    ['a short token', text.slice(0, -1)],
    ['a line end behind it', `${text}\n`],
    ['more than 1 KiB', text.replace('gateway', 'g'.repeat(1_000))],
  ])('is not %s', (_what, other) => {
    expect(parsePairingLink(other)).toBeUndefined();
  });

  it('is not written when it cannot be read', () => {
    expect(encodePairingLink({ ...link, addresses: [] })).toBeUndefined();
    expect(encodePairingLink({ ...link, token: 'x&t=y' })).toBeUndefined();
    const long = Array.from({ length: 8 }, () => `${'g'.repeat(200)}:7443`);
    expect(encodePairingLink({ ...link, addresses: long })).toBeUndefined();
  });

  it('is read only from the text that it is written as, whatever comes', () => {
    const near = fc
      .tuple(fc.nat(text.length), fc.nat(4), fc.string({ maxLength: 4 }))
      .map(([at, cut, added]) => text.slice(0, at) + added + text.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (candidate) => {
        const read = parsePairingLink(candidate);
        return read === undefined || encodePairingLink(read) === candidate;
      }),
      { numRuns: 2_000 },
    );
  });
});
