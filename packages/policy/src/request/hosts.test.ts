import { describe, expect, it } from 'vitest';
import { MAX_HOSTS, hostFacts, hostProblem } from './hosts.ts';

const named = (name: string, port = 443) => ({ name, port, range: 'name' });

describe('where hosts are', () => {
  it('a name is in each domain above it and in itself', () => {
    expect(hostFacts([named('api.example.com')]).anyUnder).toEqual([
      'api.example.com',
      'com',
      'example.com',
    ]);
  });

  it('an address is in itself only', () => {
    const facts = hostFacts([{ name: '10.0.0.1', port: 80, range: 'private' }]);
    expect(facts.anyUnder).toEqual(['10.0.0.1']);
    expect(facts.ranges).toEqual([{ type: 'Range', id: 'private' }]);
  });

  it('several are all under what they share', () => {
    const facts = hostFacts([named('a.example.com'), named('b.example.com', 80)]);
    expect(facts.allUnder).toEqual(['com', 'example.com']);
    expect(facts.ports).toEqual([80, 443]);
    expect(facts.all).toEqual(['a.example.com', 'b.example.com']);
  });

  it('a name is not under one that it only ends with', () => {
    expect(hostFacts([named('notexample.com')]).anyUnder).not.toContain('example.com');
  });

  it('no host at all is under nothing', () => {
    expect(hostFacts([])).toEqual({
      all: [],
      allUnder: [],
      anyUnder: [],
      anyBare: false,
      ranges: [],
      ports: [],
    });
  });

  it.each([
    [['example.com', 'router'], true],
    [['kubernetes'], true],
    [['router.example.com'], false],
  ])('of %j it is told whether one has no dot: %s', (names, anyBare) => {
    expect(hostFacts(names.map((name) => named(name)))).toMatchObject({ anyBare });
  });

  it('an address is no name without a dot', () => {
    expect(hostFacts([{ name: '::1', port: 80, range: 'loopback' }]).anyBare).toBe(false);
  });
});

describe('a host in a second spelling', () => {
  it.each(['', 'Example.com', 'example.com.', '.com', 'a..b', 'exämple.com', 'a b', 'a/b'])(
    '%j is a problem',
    (name) => {
      expect(hostProblem([named(name)])).toContain('is not in its one spelling');
    },
  );
});

it('too many hosts are a problem', () => {
  const hosts = Array.from({ length: MAX_HOSTS + 1 }, (_, place) => named(`h${place}`));
  expect(hostProblem(hosts)).toBe('the call names more than 32 hosts');
  expect(hostProblem(hosts.slice(1))).toBeUndefined();
});
