import { create } from '@bufbuild/protobuf';
import { canonicalBytes, createIds, sha256Hex, systemClock } from '@palyra/kernel';
import { CallFactsSchema, Capability, Risk } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { ToolManifest, Understood } from '../ports.ts';
import { MAX_ARGUMENT_BYTES, propose } from './1-proposal.ts';

const ids = createIds(systemClock());
const run = {
  runId: ids.next<'run'>(),
  sessionId: ids.next<'session'>(),
  principal: 'user:ada',
  workspace: '/workspace',
};
const nothing = { find: () => undefined };

function proposing(argumentsJson: string, tool = 'fs.read') {
  return propose({ callId: 'call', tool, argumentsJson }, run, nothing);
}

/** Stands for any tool: knows two ways to write a path, and refuses a third. */
const reader: ToolManifest = {
  name: 'fs.read',
  capabilities: [Capability.FILESYSTEM_READ],
  risk: Risk.LOW,
  effects: 'reads',
  source: 'built-in',
  understand({ path }) {
    const text = typeof path === 'string' ? path : '..';
    if (text.includes('..')) {
      return { kind: 'not-understood', reason: 'holds `..`', help: 'leave it out' };
    }
    const clean = text.replaceAll(/^\.\/+|\/+$/g, '');
    return asRead(clean, clean);
  },
};

function asRead(path: string, reads: string): Understood {
  const args = { path };
  const argumentBytes = canonicalBytes(args).length;
  const facts = create(CallFactsSchema, { reads: [reads], argumentBytes });
  return { kind: 'understood', arguments: args, facts };
}

function onlyBytes(canonical: string) {
  const bytes = Buffer.from(canonical);
  return create(CallFactsSchema, {
    argumentBytes: bytes.length,
    argumentsSha256: sha256Hex(bytes),
  });
}

function readCall(argumentsJson: string) {
  return { callId: 'call', tool: 'fs.read', argumentsJson };
}

function proposeRead(argumentsJson: string) {
  return propose(readCall(argumentsJson), run, { find: () => reader });
}

describe('a proposal', () => {
  it('has the same fingerprint however the model spelled the arguments', () => {
    const spelled = proposing('{"b":1.0,"a":"\\u0041"}').proposal.fingerprint;
    expect(proposing('{ "a": "A", "b": 1 }').proposal.fingerprint).toBe(spelled);
    expect(proposing('{"a":"A","b":2}').proposal.fingerprint).not.toBe(spelled);
  });

  it('of a tool that nobody declared has no capabilities and the highest risk', () => {
    const { proposal } = proposing('{}', 'no.such');
    expect(proposal.capabilities).toEqual([]);
    expect(proposal.risk).toBe(Risk.CRITICAL);
  });

  it('of a tool that nobody declared keeps the arguments, of which only the bytes are known', () => {
    const { kind, proposal } = proposing('{"path": "./a"}', 'no.such');
    expect(kind).toBe('sound');
    expect(proposal.arguments).toEqual({ path: './a' });
    expect(proposal.facts).toEqual(onlyBytes('{"path":"./a"}'));
  });

  it('carries what the manifest declares, and nothing that the model says about itself', () => {
    const { proposal } = proposeRead('{"path":"a","capabilities":[1,2,3]}');
    expect(proposal.capabilities).toEqual([Capability.FILESYSTEM_READ]);
    expect(proposal.risk).toBe(Risk.LOW);
  });

  it('has the arguments and the facts as the tool understands them', () => {
    const { kind, proposal } = proposeRead('{"path":"./a/"}');
    expect(kind).toBe('sound');
    expect(proposal.arguments).toEqual({ path: 'a' });
    expect(proposal.facts).toMatchObject({ reads: ['a'], argumentBytes: 12 });
  });

  it('has the same fingerprint however the model spelled what the tool understands alike', () => {
    const { fingerprint } = proposeRead('{"path":"a"}').proposal;
    expect(proposeRead('{"path":".//a/"}').proposal.fingerprint).toBe(fingerprint);
    expect(proposeRead('{"path":"A"}').proposal.fingerprint).not.toBe(fingerprint);
  });

  it('has another fingerprint when the same arguments mean something else', () => {
    const { fingerprint } = proposeRead('{"path":"a"}').proposal;
    const elsewhere = { ...reader, understand: () => asRead('a', '/srv/a') };
    const other = propose(readCall('{"path":"a"}'), run, { find: () => elsewhere }).proposal;
    expect(other.arguments).toEqual({ path: 'a' });
    expect(other.fingerprint).not.toBe(fingerprint);
  });

  it('that its tool does not understand is unsound, with the reason and the way out', () => {
    const proposed = proposeRead('{"path":"a/../b"}');
    expect(proposed).toMatchObject({
      kind: 'unsound',
      fault: { code: 'TOOL_ARGUMENTS_INVALID', message: 'holds `..`', help: 'leave it out' },
      proposal: { arguments: { path: 'a/../b' } },
    });
    expect(proposed.proposal.facts).toEqual(onlyBytes('{"path":"a/../b"}'));
  });

  it('that reaches for what its tool could only refuse is unsound, with a code of its own', () => {
    const asked: string[] = [];
    const outside: ToolManifest = {
      ...reader,
      understand: (_args, workspace) => {
        asked.push(workspace);
        return { kind: 'outside', reason: '`/etc/x` lies outside', help: 'name another' };
      },
    };
    expect(propose(readCall('{"path":"/etc/x"}'), run, { find: () => outside })).toMatchObject({
      kind: 'unsound',
      fault: {
        code: 'SANDBOX_SCOPE_DENIED',
        message: '`/etc/x` lies outside',
        help: 'name another',
      },
      proposal: { arguments: { path: '/etc/x' } },
    });
    expect(asked).toEqual([run.workspace]);
  });

  it('whose arguments are malformed never reaches its tool', () => {
    const untouched = {
      ...reader,
      understand: () => {
        throw new TypeError('asked');
      },
    };
    const proposed = propose(readCall('{"path":'), run, { find: () => untouched });
    expect(proposed.kind).toBe('unsound');
    expect(proposed.proposal.capabilities).toEqual([Capability.FILESYSTEM_READ]);
  });

  it.each([
    ['not json', 'not json'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['an integer beyond 2^53', '{"n":9007199254740993}'],
    ['a number that overflows', '{"n":1e400}'],
    ['a key that stands twice', '{"path":"/etc/passwd","path":"README.md"}'],
    ['half a surrogate pair', '{"s":"\\ud800"}'],
    ['a prototype key', '{"a":{"__proto__":{"x":1}}}'],
    ['deep nesting', `{"a":${'['.repeat(80)}${']'.repeat(80)}}`],
    ['stack-breaking nesting', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['too many bytes', JSON.stringify({ a: 'x'.repeat(MAX_ARGUMENT_BYTES) })],
    ['too many bytes in few characters', JSON.stringify({ a: '€'.repeat(MAX_ARGUMENT_BYTES / 2) })],
  ])('with %s is unsound, and no part of it is kept', (_what, argumentsJson) => {
    const proposed = proposing(argumentsJson);
    expect(proposed.kind).toBe('unsound');
    expect(proposed.kind === 'unsound' && proposed.fault.code).toBe('TOOL_ARGUMENTS_INVALID');
    expect(proposed.proposal.arguments).toEqual({});
  });

  it.each(['', 'fs read', 'fs/../read', 'x'.repeat(129), 'fs.read\u202e', 'ｆｓ.read'])(
    'for the tool name %j is unsound',
    (tool) => {
      const { kind, proposal } = proposing('{"a":1}', tool);
      expect(kind).toBe('unsound');
      expect(proposal.arguments).toEqual({ a: 1 });
    },
  );
});
