import { create } from '@bufbuild/protobuf';
import { ApprovalRecordSchema, ToolProposalSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import {
  callLine,
  exactCommand,
  isToldWithoutArguments,
  reachWords,
  sentence,
  shownArguments,
} from './call-words.ts';

describe('a call on one line', () => {
  it('is its command, with secrets hidden', () => {
    const process = { executable: '/usr/bin/curl', arguments: ['-u', 'ada:hunter22', 'a b'] };
    const line = callLine(create(ToolProposalSchema, { facts: { process } }));
    expect(line).toMatch(/^\/usr\/bin\/curl -u .* 'a b'$/);
    expect(line).not.toContain('hunter22');
  });

  it('is its request, its files, or its arguments', () => {
    const http = { method: 'GET', scheme: 'https', host: 'example.org', port: 443, path: '/a' };
    expect(callLine(create(ToolProposalSchema, { facts: { http } }))).toBe(
      'GET https://example.org:443/a',
    );
    const files = { writes: ['b'], reads: ['a', 'b'] };
    expect(callLine(create(ToolProposalSchema, { facts: files }))).toBe('b a');
    expect(callLine(create(ToolProposalSchema, { arguments: { x: 'a\u200b' } }))).toBe(
      '{"x":"a\\u{200b}"}',
    );
  });
});

describe('a call to the letter', () => {
  it('quotes words as a shell wants them', () => {
    const { facts } = create(ToolProposalSchema, {
      facts: { process: { executable: 'sh', arguments: ['-c', "echo 'x'"] } },
    });
    if (facts?.process === undefined) throw new Error('no process');
    expect(exactCommand(facts.process)).toBe(String.raw`sh -c 'echo '\''x'\'''`);
  });

  it('keeps lines of text as lines, and everything else as JSON', () => {
    const proposal = create(ToolProposalSchema, { arguments: { text: 'a\nb', list: ['"'] } });
    expect(shownArguments(proposal)).toEqual([
      { name: 'text', text: 'a\nb' },
      { name: 'list', text: '["\\""]' },
    ]);
  });
});

describe('what a call reaches', () => {
  it('is nobody, who is named, or what no cage holds it to', () => {
    const factsOf = (facts: object) => {
      const made = create(ToolProposalSchema, { facts }).facts;
      if (made === undefined) throw new Error('no facts');
      return reachWords(made);
    };
    expect(factsOf({ process: { tier: 'C' } })).toBe('no network');
    expect(factsOf({ hosts: [{ name: '10.0.0.1', port: 80, range: 'private' }] })).toBe(
      '10.0.0.1:80 (private)',
    );
    expect(factsOf({ process: { tier: 'B' } })).toBe('nobody by name; tier B holds it to nothing');
  });
});

describe('what has to be shown beside a command or a diff', () => {
  const isTold = (record: object) => isToldWithoutArguments(create(ApprovalRecordSchema, record));

  it('is nothing where they tell everything', () => {
    expect(isTold({ proposal: { facts: { process: { executable: 'ls' } } } })).toBe(true);
    expect(isTold({ preview: { diff: '+a' } })).toBe(true);
  });

  it('are the arguments where there is input, a variable, a request, or more of a diff than is in sight', () => {
    const process = { executable: 'sh' };
    expect(isTold({ proposal: { facts: { process, bodyBytes: 1 } } })).toBe(false);
    const set = { ...process, environment: ['PATH'] };
    expect(isTold({ proposal: { facts: { process: set } } })).toBe(false);
    expect(isTold({ proposal: { facts: { http: { method: 'GET' } } } })).toBe(false);
    expect(isTold({ preview: { diff: '+a', diffBytesLeftOut: 1 } })).toBe(false);
    expect(isTold({ preview: { diff: '+a\n'.repeat(13) } })).toBe(false);
    expect(isTold({ preview: { diff: `+ok${' '.repeat(1_000)};sh` } })).toBe(false);
  });
});

describe('a sentence', () => {
  it('begins with a capital, unless it begins with a command', () => {
    expect(sentence('a program is to be run')).toBe('A program is to be run');
    expect(sentence('`sh build.sh` with anything')).toBe('`sh build.sh` with anything');
  });
});
