import { type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  type CallFacts,
  CallFactsSchema,
  HostFactsSchema,
  type ToolProposal,
  ToolProposalSchema,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { covers, offersFor } from './shape.ts';

type FactsInit = Exclude<MessageInitShape<typeof CallFactsSchema>, CallFacts>;

function proposalOf(tool: string, facts: FactsInit): ToolProposal {
  return create(ToolProposalSchema, {
    tool,
    facts: { argumentsSha256: JSON.stringify(facts), ...facts },
  });
}

const API = create(HostFactsSchema, { name: 'api.example', port: 443, range: 'name' });
const git = (args: readonly string[], more: FactsInit = {}) =>
  proposalOf('process.run', {
    process: { executable: 'git', arguments: [...args], directory: 'src' },
    reads: ['src'],
    ...more,
  });

function shapeNamed(name: string, proposal: ToolProposal) {
  const offer = offersFor(proposal).find((each) => each.name === name);
  if (offer === undefined) throw new Error(`${name} is not offered`);
  return offer.shape;
}

const otherFacts = (proposal: ToolProposal, change: Partial<CallFacts>): ToolProposal =>
  create(ToolProposalSchema, {
    tool: proposal.tool,
    facts: { ...(proposal.facts ?? create(CallFactsSchema)), ...change },
  });

describe('exactly this call', () => {
  it('covers the same arguments of the same tool and nothing else', () => {
    const call = git(['status']);
    const shape = shapeNamed('exact', call);
    expect(covers(shape, call)).toBe(true);
    expect(covers(shape, git(['status', '-s']))).toBe(false);
    expect(covers(shape, otherFacts(call, { argumentsSha256: '' }))).toBe(false);
    expect(covers(shape, create(ToolProposalSchema, { tool: 'fs.read', facts: call.facts }))).toBe(
      false,
    );
  });
});

const LOG = { executable: 'git', arguments: ['log'], directory: 'src' };

describe('a command', () => {
  const shape = shapeNamed('command', git(['log', '-1']));

  it('covers further arguments, in its folder or below', () => {
    expect(covers(shape, git(['log']))).toBe(true);
    expect(covers(shape, git(['log', '--stat', 'x']))).toBe(true);
    const below = git(['log'], {
      process: { executable: 'git', arguments: ['log'], directory: 'src/a' },
      reads: ['src/a'],
    });
    expect(covers(shape, below)).toBe(true);
  });

  it('is offered with what the program may do besides, not only with what the call names', () => {
    const saysOf = (tier: string) =>
      offersFor(git(['log'], { process: { ...LOG, tier } })).find(({ name }) => name === 'command')
        ?.says;
    expect(saysOf('C')).toBe(
      '`git log` with any further arguments and no input, in `src` or below, in tier C, it may read and write anywhere in the workspace but for protected names, without network',
    );
    expect(saysOf('B')).toBe(
      '`git log` with any further arguments and no input, in `src` or below, in tier B, without walls: it may read and write whatever its user may, and reach any host',
    );
  });

  it.each([
    ['another first argument', git(['push'])],
    ['no argument', git([])],
    ['its first argument in another place', git(['-c', 'log'])],
    ['another program', git(['log'], { process: { executable: 'Git', arguments: ['log'] } })],
    [
      'a folder beside it with the same beginning',
      git(['log'], {
        process: { executable: 'git', arguments: ['log'], directory: 'src-other' },
        reads: ['src-other'],
      }),
    ],
    ['something else read', git(['log'], { reads: ['src', 'secrets'] })],
    ['something written', git(['log'], { writes: ['src/x'] })],
    ['a host', git(['log'], { hosts: [API] })],
    ['a secret', git(['log'], { secrets: ['token'] })],
    ['input', git(['log'], { bodyBytes: 1 })],
    ['a web request', git(['log'], { http: { method: 'GET' } })],
    ['variables for it', git(['log'], { process: { ...LOG, environment: ['GIT_EXEC_PATH'] } })],
    ['a weaker cage', git(['log'], { process: { ...LOG, tier: 'B' } })],
    ['two words in one', git(['log --stat'])],
    ['an empty word first', git(['', 'log'])],
    ['a word with a space behind it', git(['log '])],
  ])('does not cover %s', (_what, call) => {
    expect(covers(shape, call)).toBe(false);
  });

  it.each([
    ['without arguments', git([])],
    ['that begins with an option', git(['-c', 'alias.x=!sh', 'x'])],
    ['with input', git(['apply'], { bodyBytes: 10 })],
    ['with a secret', git(['push'], { secrets: ['token'] })],
    ['with variables of its own', git([], { process: { ...LOG, environment: ['PAGER'] } })],
    [
      'that starts another program',
      git([], {
        process: { executable: '/usr/bin/env', arguments: ['A=1', 'sh'], directory: '.' },
      }),
    ],
    [
      'that starts another program under other conditions',
      git([], {
        process: { executable: 'setarch', arguments: ['x86_64', 'true'], directory: '.' },
      }),
    ],
  ])('is not offered for one %s', (_what, call) => {
    expect(offersFor(call).map(({ name }) => name)).toEqual(['exact']);
  });
});

describe('a folder', () => {
  const write = (path: string) => proposalOf('fs.write', { writes: [path], bodyBytes: 5 });
  const shape = shapeNamed('folder', write('src/a/b.ts'));

  it('covers what lies in it, at any depth', () => {
    expect(covers(shape, write('src/a/c.ts'))).toBe(true);
    expect(covers(shape, write('src/a/d/e.ts'))).toBe(true);
  });

  it.each(['src/b.ts', 'src/ab', '/src/a/b.ts', 'src', '.'])('does not cover %s', (path) => {
    expect(covers(shape, write(path))).toBe(false);
  });

  it('of the workspace covers no path outside of it', () => {
    const whole = shapeNamed('folder', write('a.txt'));
    expect(covers(whole, write('deep/down/b.txt'))).toBe(true);
    expect(covers(whole, write('/etc/passwd'))).toBe(false);
  });

  it('that was granted for writing covers no reading of it', () => {
    expect(covers(shape, proposalOf('fs.write', { reads: ['src/a/b.ts'] }))).toBe(false);
  });
});

describe('a host', () => {
  const get = (more: FactsInit = {}) =>
    proposalOf('http.fetch', {
      http: { method: 'GET', scheme: 'https', path: '/x' },
      hosts: [API],
      ...more,
    });
  const shape = shapeNamed('host', get());

  it('covers any path of it with the same method', () => {
    expect(covers(shape, get({ http: { method: 'GET', scheme: 'https', path: '/y' } }))).toBe(true);
  });

  it.each([
    ['another method', get({ http: { method: 'POST' } })],
    ['a body', get({ bodyBytes: 1 })],
    ['the same port without encryption', get({ http: { method: 'GET', scheme: 'http' } })],
    ['another port', get({ hosts: [{ ...API, port: 80 }] })],
    ['a host below it', get({ hosts: [{ ...API, name: 'evil.api.example' }] })],
    ['a host that ends like it', get({ hosts: [{ ...API, name: 'evil-api.example' }] })],
    ['another host as well', get({ hosts: [API, { ...API, name: 'evil.example' }] })],
    ['the same name as an address', get({ hosts: [{ ...API, range: 'private' }] })],
    ['a process', get({ process: { executable: 'curl' } })],
  ])('does not cover %s', (_what, call) => {
    expect(covers(shape, call)).toBe(false);
  });
});

it('nothing is offered for a call of which nobody knows what it means', () => {
  expect(offersFor(create(ToolProposalSchema, { tool: 'x' }))).toEqual([]);
});
