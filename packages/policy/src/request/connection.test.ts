import { describe, expect, it } from 'vitest';
import { NOON, callOf, requestOf } from './call.fixture.ts';
import { hostEntity, requestsForConnection } from './connection.ts';

const PUBLIC = { range: 'public', isListed: false };
const TO = { host: 'api.example.com', port: 443, leadsTo: [PUBLIC] };
const LATER = new Date('2026-11-16T23:59:00Z');

describe('a question about a connection', () => {
  it('has the context of its call, but for the time, and the host in place of the tool', () => {
    const approvers = [{ principal: 'user:bob', role: 2, strength: 'device' }] as const;
    const call = requestOf(callOf(), { approvers });
    const [asked] = requestsForConnection(call, TO, LATER);
    expect(asked).toMatchObject({
      principal: { type: 'User', id: 'ann' },
      action: 'host.connect',
      resource: { type: 'Host', id: 'api.example.com' },
      context: { ...call.context, time: { date: '2026-11-16', weekday: 1, hour: 23, minute: 59 } },
    });
    const types = asked !== undefined && 'entities' in asked ? asked.entities : [];
    expect(types.map(({ uid }) => uid.type)).toEqual(['User', 'Host']);
  });

  it('is put once for each kind of address', () => {
    const listed = { range: 'private', isListed: true };
    const leadsTo = [PUBLIC, listed, PUBLIC, { ...listed, isListed: false }, listed];
    const asked = requestsForConnection(requestOf(), { ...TO, leadsTo }, NOON);
    const ranges = asked.map((each) => ('entities' in each ? each.entities.at(-1)?.attrs : each));
    expect(ranges).toMatchObject([
      { range: { id: 'public' }, listed: false },
      { range: { id: 'private' }, listed: true },
      { range: { id: 'private' }, listed: false },
    ]);
  });

  it.each([
    ['leads nowhere', { ...TO, leadsTo: [] }],
    ['is spelt otherwise', { ...TO, host: 'API.example.com' }],
    ['ends with a dot', { ...TO, host: 'api.example.com.' }],
    ['is empty', { ...TO, host: '' }],
    ['is in brackets', { ...TO, host: '[::1]' }],
  ])('cannot be put for a host that %s', (_, to) => {
    expect(requestsForConnection(requestOf(), to, NOON)).toEqual([{ problem: expect.any(String) }]);
  });
});

describe('a host', () => {
  it('is in every domain above it', () => {
    const { attrs } = hostEntity({ ...TO, ...PUBLIC });
    expect(attrs['under']).toEqual(['api.example.com', 'com', 'example.com']);
  });

  it.each(['93.184.216.34', '2606:4700::1111'])(
    'that is an address is in itself alone: %s',
    (host) => {
      expect(hostEntity({ ...TO, ...PUBLIC, host }).attrs['under']).toEqual([host]);
    },
  );
});
