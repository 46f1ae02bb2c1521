import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCedar } from '../engine/cedar.ts';
import { anyText } from './any-text.fixture.ts';
import { conjunctsOf } from './conjuncts.ts';
import { draftException, draftPermit, draftUnattended } from './drafts.ts';
import { call, git, hosts, load, paths } from './explain.fixture.ts';

const cedar = await loadCedar();

function read(text: string): PolicyJson {
  const answer = cedar.policyToJson(text);
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  return answer.json;
}

function requestWith(tool: string, word: string, path: string) {
  const context = { ...git(word), writes: paths(path), hosts: hosts([path], [443]), agent: word };
  return call({ tool, context });
}

describe('a rule for one call', () => {
  it('says exactly what the call holds, and nothing that the call could add', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (tool, word, path) => {
        const request = requestWith(tool, word, path);
        const json = read(draftPermit(request).text);
        const plain = read(draftPermit(requestWith('a', 'b', 'c')).text);
        const conditions = conjunctsOf(json.conditions).map(({ body }) => JSON.stringify(body));
        expect(json).toMatchObject({
          effect: 'permit',
          principal: { op: '==', entity: { type: 'User', id: 'user:anna' } },
          action: { op: '==', entity: { type: 'Action', id: 'tool.execute' } },
          resource: { op: '==', entity: { type: 'Tool', id: tool } },
        });
        expect(conditions).toHaveLength(conjunctsOf(plain.conditions).length);
        expect(conditions.filter((one) => one.includes('"attr":"commandLine"'))).toEqual([
          equalTo(['process', 'commandLine'], { Value: `/usr/bin/git ${word}` }),
        ]);
        expect(conditions).toContain(equalTo(['writes', 'all'], { Set: [{ Value: path }] }));
        expect(conditions).toContain(equalTo(['agent'], { Value: word }));
        expect(conditions).toContain(equalTo(['argumentsSha256'], { Value: '0'.repeat(64) }));
      }),
      { numRuns: 60 },
    );
  });

  it('has an id and a sentence that every layer takes', () => {
    fc.assert(
      fc.property(anyText, (tool) => {
        for (const draft of [draftPermit, draftUnattended]) {
          const { id, says } = read(draft(requestWith(tool, 'b', 'c')).text).annotations ?? {};
          expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
          expect(id?.length).toBeLessThanOrEqual(64);
          expect(says).toMatch(/^[^\n]{1,200}$/);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('an exception for one call', () => {
  it('adds one clause, whatever the call holds', async () => {
    const { set } = await load('@id("a") forbid (principal, action, resource) when { true };');
    const [rule] = set.rules;
    if (rule === undefined) throw new Error('no rule');
    fc.assert(
      fc.property(anyText, anyText, (word, path) => {
        const json = read(draftException(rule, requestWith('a', word, path)).text);
        expect(json.conditions.map(({ kind }) => kind)).toEqual(['when', 'unless']);
      }),
      { numRuns: 25 },
    );
  });
});

function equalTo(path: readonly string[], right: unknown): string {
  const left = path.reduce<unknown>((inner, attr) => ({ '.': { left: inner, attr } }), {
    Var: 'context',
  });
  return JSON.stringify({ '==': { left, right } });
}
