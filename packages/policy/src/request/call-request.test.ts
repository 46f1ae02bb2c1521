import { Capability, Risk, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { AT_NOON, NOON, callOf, requestOf } from './call.fixture.ts';
import { requestForCall } from './call-request.ts';
import { ownGround } from './own-ground.ts';

const NO_PATHS = {
  all: [],
  allUnder: [],
  anyUnder: [],
  parts: [],
  names: [],
  extensions: [],
  ofGateway: false,
};
const NO_HOSTS = { all: [], allUnder: [], anyUnder: [], anyBare: false, ranges: [], ports: [] };

describe('the request for a call', () => {
  it('tells everything that is known of it, the most careful where nothing is', () => {
    expect(requestOf()).toEqual({
      principal: { type: 'User', id: 'ann' },
      action: 'tool.execute',
      resource: { type: 'Tool', id: 'process.run' },
      context: {
        channel: { type: 'Channel', id: 'cli' },
        device: 'device-1',
        agent: 'palyra',
        session: 'session-1',
        run: 'run-1',
        skill: '',
        capabilities: [{ type: 'Capability', id: 'process_exec' }],
        tier: { type: 'Tier', id: 'none' },
        taint: [],
        budget: { type: 'Budget', id: 'unlimited' },
        time: { date: '2026-11-16', weekday: 1, hour: 12, minute: 34 },
        unattended: false,
        reads: NO_PATHS,
        writes: NO_PATHS,
        hosts: NO_HOSTS,
        secrets: [],
        argumentBytes: 0,
        bodyBytes: 0,
        argumentsSha256: '',
      },
      entities: [
        {
          uid: { type: 'User', id: 'ann' },
          attrs: { name: 'Ann' },
          parents: [{ type: 'Role', id: 'operator' }],
        },
        {
          uid: { type: 'Tool', id: 'process.run' },
          attrs: {
            capabilities: [{ type: 'Capability', id: 'process_exec' }],
            risk: { type: 'Risk', id: 'high' },
            source: 'built-in',
          },
          parents: [],
        },
      ],
    });
  });

  it('tells what its arguments mean', () => {
    const { context } = requestOf({
      ...callOf(),
      proposal: {
        ...callOf().proposal,
        facts: {
          $typeName: 'palyra.v1.CallFacts',
          reads: ['a/b'],
          writes: ['/tmp/x.TXT'],
          hosts: [
            { $typeName: 'palyra.v1.HostFacts', name: 'example.com', port: 443, range: 'name' },
          ],
          secrets: ['b', 'a', 'b'],
          argumentBytes: 10,
          bodyBytes: 20,
          argumentsSha256: 'ab',
          readsBelow: false,
          http: {
            $typeName: 'palyra.v1.HttpFacts',
            method: 'GET',
            scheme: 'https',
            host: 'example.com',
            port: 443,
            path: '/x',
          },
        },
      },
    });
    expect(context).toMatchObject({
      reads: { all: ['a/b'], anyUnder: ['.', 'a', 'a/b'] },
      writes: { all: ['/tmp/x.TXT'], names: ['x.TXT'], extensions: ['txt'] },
      hosts: { all: ['example.com'], ranges: [{ type: 'Range', id: 'name' }], ports: [443] },
      secrets: ['a', 'b'],
      argumentBytes: 10,
      bodyBytes: 20,
      argumentsSha256: 'ab',
      http: { method: 'GET', scheme: 'https', host: 'example.com', port: 443, path: '/x' },
    });
  });

  it('tells the folder that it works in, where one is named', () => {
    const { proposal, ...call } = callOf();
    const inFolder = { ...call, proposal: { ...proposal, workspace: '/srv/shop' } };
    expect(requestOf(inFolder).context['workspace']).toBe('/srv/shop');
    expect(requestOf(callOf()).context).not.toHaveProperty('workspace');
  });

  it.each(['shop', '/srv/../etc', '/srv/', '/srv//shop', '/srv/./shop'])(
    'is none for a folder in a second spelling: %s',
    (workspace) => {
      const { proposal, ...call } = callOf();
      const asked = requestForCall({ ...call, proposal: { ...proposal, workspace } }, AT_NOON);
      expect(asked).toHaveProperty('problem', expect.stringContaining(workspace));
    },
  );

  it('takes what is known beyond the proposal from the call', () => {
    const known = { tier: 'C', taint: ['web', 'file', 'web'], budget: 'within', skill: 's' };
    expect(requestOf({ ...callOf(), ...known, agent: 'other' }).context).toMatchObject({
      tier: { type: 'Tier', id: 'C' },
      taint: [
        { type: 'Taint', id: 'file' },
        { type: 'Taint', id: 'web' },
      ],
      budget: { type: 'Budget', id: 'within' },
      skill: 's',
      agent: 'other',
    });
  });

  it('carries the approval that was given', () => {
    const approvers = [{ principal: 'user:b', role: Role.ADMIN, strength: 'device' as const }];
    expect(requestOf(callOf(), { approvers }).context['approval']).toEqual({
      approvers: ['user:b'],
      count: 1,
      admins: 1,
      owners: 0,
      strengths: [{ type: 'Strength', id: 'device' }],
    });
  });

  it('is the same text for the same call in the same minute, whatever the order of its facts', () => {
    const one = requestForCall(callOf({ reads: ['a', 'b'] }), AT_NOON);
    const other = requestForCall(callOf({ reads: ['b', 'a'] }), {
      ...AT_NOON,
      now: new Date(NOON.getTime() + 3000),
    });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it('on a Sunday says the seventh day', () => {
    const asked = requestForCall(callOf(), {
      ...AT_NOON,
      now: new Date('2026-11-15T23:59:59Z'),
    });
    expect(asked).toMatchObject({
      context: { time: { date: '2026-11-15', weekday: 7, hour: 23, minute: 59 } },
    });
  });
});

describe("whether a call touches what is the gateway's own", () => {
  const own = ownGround({ workspace: '/home/ann', folders: ['/home/ann/.config/palyra'] });
  const asked = (facts: Parameters<typeof callOf>[0]) =>
    requestForCall(callOf(facts), { now: NOON, own });

  it.each([
    ['a file in it that is read', { reads: ['.config/palyra/x'] }, true, false],
    ['a file in it that is written', { writes: ['.config/palyra/x'] }, false, true],
    ['a folder above it that is looked at', { reads: ['.'] }, false, false],
    ['a folder above it that is gone through', { reads: ['.'], readsBelow: true }, true, false],
    ['a folder above it that is written', { writes: ['.config'] }, false, true],
    ['a folder beside it', { reads: ['src'], readsBelow: true, writes: ['src/a'] }, false, false],
  ])('is told of %s', (_what, facts, isRead, isWritten) => {
    expect(asked(facts)).toMatchObject({
      context: { reads: { ofGateway: isRead }, writes: { ofGateway: isWritten } },
    });
  });
});

describe('a tool that nobody declared', () => {
  it.each(['', 'unknown'])('from the source %j can do nothing and is critical', (source) => {
    const { proposal } = callOf();
    const claimed = { ...proposal, capabilities: [Capability.MEMORY], risk: Risk.LOW };
    const { facts: _, ...withoutFacts } = claimed;
    const request = requestOf({ ...callOf(), source, proposal: withoutFacts });
    expect(request.context['capabilities']).toEqual([]);
    expect(request.entities.at(-1)?.attrs).toEqual({
      capabilities: [],
      risk: { type: 'Risk', id: 'critical' },
      source: 'unknown',
    });
  });
});

describe('no request is made', () => {
  it('for a declared tool whose arguments nobody has read', () => {
    const { facts: _, ...proposal } = callOf().proposal;
    expect(requestForCall({ ...callOf(), proposal }, AT_NOON)).toEqual({
      problem: 'nothing is known of what the arguments of the call mean',
    });
  });

  it.each([
    ['read', { reads: ['../x'] }, 'the path `../x` is not in its one spelling'],
    ['written', { writes: ['a/'] }, 'the path `a/` is not in its one spelling'],
  ])('for a path %s in a second spelling', (_name, facts, problem) => {
    expect(requestForCall(callOf(facts), AT_NOON)).toEqual({ problem });
  });

  it('for a principal that is not what it calls itself', () => {
    const standing = { ...callOf().standing, principal: 'token:x' };
    expect(requestForCall({ ...callOf(), standing }, AT_NOON)).toEqual({
      problem: '`token:x` is no user',
    });
  });
});
