import { Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../model.ts';
import { builtInFiles } from './built-in.ts';
import {
  compiled,
  forbid,
  gate,
  HEAD,
  named,
  operator,
  permit,
  problemsOf,
  SCOPE,
  workspace,
} from './compile.fixture.ts';

describe('a file of rules', () => {
  it('becomes rules that know their place, their words and their terms', () => {
    const asks = gate(
      'wait("2h") @quorum("2") @approvers("admin") @strength("passkey") @severity("high")',
    ).replace(
      'count >= 1',
      'admins >= 2 && context.approval.strengths.contains(Strength::"passkey")',
    );
    const text = `// é: comments may say anything; also this.\n\n${asks}`;
    const [rule] = compiled([operator(text)]).rules;
    expect(rule).toMatchObject({
      id: 'a',
      layer: 'operator',
      file: 'own.cedar',
      line: 3,
      effect: 'forbid',
      isHard: false,
      gate: {
        severity: 'high',
        approvers: Role.ADMIN,
        quorum: 2,
        strength: 'passkey',
        waitSeconds: 7200,
      },
    });
    expect(rule?.text.startsWith('@id("a")')).toBe(true);
    expect(rule?.text.endsWith('};')).toBe(true);
  });

  it('may leave the terms of a gate to their defaults', () => {
    expect(compiled([operator(gate(''))]).rules[0]?.gate).toEqual({
      severity: 'medium',
      approvers: Role.OPERATOR,
      quorum: 1,
      strength: 'device',
      waitSeconds: 300,
    });
  });

  it('keeps the order of its rules beyond ten of them', () => {
    const text = Array.from(
      { length: 23 },
      (_, index) => `@id("r-${index}") @says("x") permit (${SCOPE});`,
    ).join('\n');
    const { rules } = compiled([operator(text)]);
    expect(rules.map(({ id }) => id)).toEqual(
      Array.from({ length: 23 }, (_, index) => `r-${index}`),
    );
    expect(rules.map(({ line }) => line)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 1),
    );
  });

  it('finds a rule behind a comment that holds the same rule', () => {
    const rule = `@id("a") @says("x") permit (${SCOPE});`;
    expect(compiled([operator(`// ${rule}\n${rule}\n// ${rule}\n`)]).rules[0]?.line).toBe(2);
  });

  it('may hold strings with semicolons, quotes and slashes', () => {
    const text = `@id("a") @says("x; // y") permit (${SCOPE}) when { context.agent == "\\";//\\\\" };`;
    expect(compiled([operator(text)]).rules).toHaveLength(1);
  });

  it('may have the line ends of another system', () => {
    const text = permit('').replaceAll('\n', '\r\n');
    expect(compiled([operator(text)]).rules).toHaveLength(1);
  });

  it('may hold nothing', () => {
    expect(compiled([operator('// later\n')]).rules).toEqual([]);
  });
});

describe('a mistake is named with its place, its reason and a way out', () => {
  it.each<readonly [string, string, Partial<Problem>]>([
    [
      'a word that is none',
      'permit (principal, action, resource) wenn { true };',
      { line: 1, column: 38, reason: 'invalid policy condition: wenn' },
    ],
    ['a missing end', `${HEAD}permit (${SCOPE})`, { line: 3, reason: 'unexpected end of input' }],
    [
      'an attribute that is none, behind umlauts',
      permit('when { context.agent == "ööö" && context.nme == 1 }'),
      { line: 3, column: 97, help: 'did you mean `time`?' },
    ],
    [
      'an optional attribute that is not asked for first',
      permit('when { context.process.count > 1 }'),
      { reason: expect.stringContaining('optional attribute `process`') },
    ],
    [
      'an action that is none',
      `${HEAD}permit (principal, action == Action::"tool.exec", resource);`,
      {
        line: 3,
        reason: 'there is no action `tool.exec`',
        help: 'did you mean `Action::"tool.execute"`?',
      },
    ],
    [
      'an action that is near to none',
      `${HEAD}permit (principal, action in [Action::"tool.run"], resource);`,
      { line: 3, help: 'name one of `tool.execute`, `tool.unattended`' },
    ],
    [
      'a value that an enumeration does not have',
      permit('when { context.budget == Budget::"withn" }'),
      { help: expect.stringContaining('"within"') },
    ],
    [
      'a rule that can never apply',
      permit('when { 1 == 2 }'),
      { line: 1, reason: expect.stringContaining('policy is impossible') },
    ],
    [
      'a scope that fits nothing',
      `${HEAD}permit (principal, action == Action::"tool.execute", resource is Host);`,
      { reason: expect.stringContaining('unable to find an applicable action') },
    ],
    [
      'a template',
      `${HEAD}permit (principal == ?principal, action, resource);`,
      { line: 1, column: 1, reason: expect.stringContaining('is a template') },
    ],
    ['no id', `@says("x") permit (${SCOPE});`, { reason: 'the rule has no `@id`' }],
    ['no words', `@id("a") permit (${SCOPE});`, { reason: 'the rule has no `@says`' }],
    ['an id in capitals', named('Abc'), { reason: '`Abc` is not an id of a rule' }],
    ['an id that looks like another', named('аbc'), { reason: '`аbc` is not an id of a rule' }],
    ['a long id', named('a'.repeat(65)), { help: expect.stringContaining('64') }],
    [
      'words over several lines',
      `@id("a") @says("a\\nb") permit (${SCOPE});`,
      { reason: '`@says` is not one sentence that a person can read' },
    ],
    [
      'words that hide something behind an escape',
      `@id("a") @says("a\\u{202e}b") permit (${SCOPE});`,
      { reason: '`@says` is not one sentence that a person can read' },
    ],
    [
      'an annotation that is none',
      `${HEAD}@idd("x") permit (${SCOPE});`,
      { reason: 'there is no annotation `@idd`' },
    ],
    [
      'an annotation twice',
      `${HEAD}@id("x") permit (${SCOPE});`,
      { reason: 'duplicate annotation: @id' },
    ],
    [
      'a number that JSON cannot hold',
      permit('when { context.bodyBytes < 9007199254740993 }'),
      { reason: 'a number in the rule is beyond 9007199254740991' },
    ],
    [
      'letters that look alike in one word',
      permit('when { context.agent == "pаypal" }'),
      { reason: '`pаypal` mixes letters of several scripts, which look alike' },
    ],
    [
      'a tool that is none',
      permit('when { resource == Tool::"fs.raed" }'),
      {
        line: 3,
        column: 83,
        reason: 'there is no tool `fs.raed`',
        help: 'did you mean `fs.read`?',
      },
    ],
    [
      'a tool that is none, in the scope',
      `${HEAD}permit (principal, action == Action::"tool.execute", resource == Tool::"zzz");`,
      { reason: 'there is no tool `zzz`', help: 'name one that exists' },
    ],
  ])('%s', (_name, text, problem) => {
    expect(problemsOf([operator(text)])[0]).toMatchObject({
      layer: 'operator',
      file: 'own.cedar',
      ...problem,
    });
  });

  it('all mistakes of all files at once, in the order of layers, files and lines', () => {
    const two = `@id("x") permit (${SCOPE});\npermit (x);\n@says("x") permit (${SCOPE});`;
    const problems = problemsOf([
      { ...workspace(permit('')), name: 'w.cedar' },
      { layer: 'operator', name: 'b.cedar', text: two },
      { layer: 'operator', name: 'a.cedar', text: 'nonsense' },
    ]);
    expect(problems.map(({ file, line }) => `${file} ${line}`)).toEqual([
      'a.cedar 1',
      'b.cedar 1',
      'b.cedar 2',
      'b.cedar 3',
      'w.cedar 1',
    ]);
  });

  it('one mistake once, however many actions the rule is about', () => {
    const text = `${HEAD}permit (principal, action in Action::"act", resource) when { context.chanel == Channel::"cli" };`;
    expect(problemsOf([operator(text)])).toHaveLength(1);
  });

  it('a hundred of them at most', () => {
    expect(problemsOf([operator('permit (x);\n'.repeat(500))])).toHaveLength(100);
  });

  it.each(['\u202e', '\u200b', '\u0000', '\u001b', '\r', '\u2028', '\ufeff', '\u{e0001}'])(
    'a character that cannot be seen, even in a comment (%j)',
    (character) => {
      expect(
        problemsOf([operator(`${HEAD}// a${character}b\npermit (${SCOPE});`)])[0],
      ).toMatchObject({
        line: 3,
        column: 5,
        reason: expect.stringContaining('cannot be seen'),
      });
    },
  );

  it('text that is half a character', () => {
    expect(problemsOf([operator('// \ud800')])[0]?.reason).toBe('it is not Unicode text');
  });
});

describe('a set', () => {
  it('has the same hash whatever the order of its files', () => {
    const files = [...builtInFiles('ask'), operator(forbid('')), workspace('// x')];
    expect(compiled(files.toReversed())).toEqual(compiled(files));
  });
});
