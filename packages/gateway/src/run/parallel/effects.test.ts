import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { CallFactsSchema, Capability, Risk, ToolProposalSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { ToolManifest } from '../../ports.ts';
import { type Effects, canMeet, effectsOf } from './effects.ts';

interface Touched {
  readonly reads?: string[];
  readonly writes?: string[];
}

function manifestOf(effects: ToolManifest['effects']): ToolManifest {
  return {
    name: 'x',
    capabilities: [],
    risk: Risk.LOW,
    source: 'built-in',
    effects,
    understand: () => ({ kind: 'not-understood', reason: '', help: '' }),
  };
}

function callOf(effects: ToolManifest['effects'], facts: Touched = {}): Effects {
  const proposal = create(ToolProposalSchema, { tool: 'x', facts: create(CallFactsSchema, facts) });
  return effectsOf({ kind: 'sound', proposal }, manifestOf(effects));
}

const read = (...reads: string[]) => callOf('reads', { reads });
const write = (...writes: string[]) => callOf('changes', { writes });
const anything = callOf('unknown', { reads: ['.'] });

describe('two calls of one turn', () => {
  it.each([
    ['two reads of one file', read('a'), read('a'), false],
    ['two requests that only fetch', callOf('reads'), callOf('reads'), false],
    ['writes of different files', write('a'), write('b'), false],
    ['a read and a write of different files', read('src/a'), write('src/b'), false],
    ['two writes of one file', write('a'), write('a'), true],
    ['a write and a read of what it writes', write('src/a'), read('src/a'), true],
    ['a write below a folder that is listed', write('src/a'), read('src'), true],
    ['a write anywhere and a listing of the workspace', write('src/a'), read('.'), true],
    ['names that a disk may take for one', write('src/Main.ts'), read('SRC/main.ts'), true],
    ['a write and a path from the root', write('a'), read('/home/ada/a'), true],
    ['a path that leaves the workspace', write('a'), read('../w/a'), true],
    ['two reads, one of a path from the root', read('a'), read('/etc/hosts'), false],
    ['a program and a read', anything, read('a'), true],
    ['two programs', anything, anything, true],
    ['a change that no path tells of', callOf('changes'), read('a'), true],
  ] as const)('meet or not: %s', (_name, one, other, meets) => {
    expect([canMeet(one, other), canMeet(other, one)]).toEqual([meets, meets]);
  });

  it('do not meet when both are requests that by their method change nothing', () => {
    const request = (method: string, capability: Capability) => {
      const facts = create(CallFactsSchema, { http: { method } });
      const proposal = create(ToolProposalSchema, { capabilities: [capability], facts });
      return effectsOf({ kind: 'sound', proposal }, manifestOf('unknown'));
    };
    const get = request('GET', Capability.NETWORK);
    expect(canMeet(get, request('HEAD', Capability.NETWORK))).toBe(false);
    expect(canMeet(get, request('POST', Capability.NETWORK))).toBe(true);
    expect(canMeet(get, request('GET', Capability.BROWSER))).toBe(true);
  });

  it('meet when one is of a tool that nobody declared', () => {
    const proposal = create(ToolProposalSchema, { facts: create(CallFactsSchema) });
    const unknown = effectsOf({ kind: 'sound', proposal }, undefined);
    expect(canMeet(unknown, read('a'))).toBe(true);
  });

  it('do not meet when one of them is refused as malformed', () => {
    const fault = new PalyraError('TOOL_ARGUMENTS_INVALID', 'no');
    const proposal = create(ToolProposalSchema);
    const refused = effectsOf({ kind: 'unsound', proposal, fault }, manifestOf('unknown'));
    expect(canMeet(refused, write('a'))).toBe(false);
  });
});
