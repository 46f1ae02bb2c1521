import { createIds, systemClock } from '@palyra/kernel';
import { Capability, Risk } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { MAX_ARGUMENT_BYTES, propose } from './1-proposal.ts';

const ids = createIds(systemClock());
const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>(), principal: 'user:ada' };
const nothing = { find: () => undefined };

function proposing(argumentsJson: string, tool = 'fs.read') {
  return propose({ callId: 'call', tool, argumentsJson }, run, nothing);
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

  it('carries what the manifest declares, and nothing that the model says about itself', () => {
    const manifest = {
      name: 'fs.read',
      capabilities: [Capability.FILESYSTEM_READ],
      risk: Risk.LOW,
    };
    const call = { callId: 'c', tool: 'fs.read', argumentsJson: '{"capabilities":[1,2,3]}' };
    const { proposal } = propose(call, run, { find: () => manifest });
    expect(proposal.capabilities).toEqual([Capability.FILESYSTEM_READ]);
    expect(proposal.risk).toBe(Risk.LOW);
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
