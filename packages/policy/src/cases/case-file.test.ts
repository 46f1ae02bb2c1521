import { describe, expect, it } from 'vitest';
import { parseCases } from './case-file.ts';

function problemsIn(...lines: readonly string[]): readonly string[] {
  const parsed = parseCases(lines.join('\n'), 'a.policytest.toml');
  if (parsed.kind === 'parsed') return [];
  return parsed.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
}

describe('a file of cases', () => {
  it('gives each case with its line and what it left out', () => {
    const text = [
      'mode = "auto"',
      '',
      '[[case]]',
      'name = "one"',
      'tool = "fs.read"',
      'expect = "allow"',
      '',
      '  [[ case ]]',
      'name = "two"',
      'action = "policy.manage"',
      'role = "admin"',
      'expect = "allow"',
      'rule = "admins-look-after-the-gateway"',
    ].join('\r\n');
    const parsed = parseCases(text, 'a.policytest.toml');
    expect(parsed).toMatchObject({
      kind: 'parsed',
      file: {
        mode: 'auto',
        cases: [
          {
            name: 'one',
            line: 3,
            file: 'a.policytest.toml',
            principal: 'user:ada',
            role: 'operator',
            action: 'tool.execute',
            channel: 'cli',
            tier: 'none',
            taint: [],
          },
          { name: 'two', line: 8, role: 'admin' },
        ],
      },
    });
  });

  it.each([
    ['is no TOML', ['[[case]]', 'name = "a', 'expect = "allow"'], ':2: '],
    ['has no case', ['mode = "ask"'], ':1: `case`: '],
    ['has an unknown mode', ['# x', 'mode = "closed"'], ':2: `mode`: '],
    ['has an unknown key', ['[[case]]', 'name = "a"', 'toool = "x"'], ':3: unknown key `toool`'],
    [
      'has an unknown key further in',
      ['[[case]]', 'name = "a"', 'tool = "x"', 'expect = "ask"', 'facts = { raeds = [] }'],
      ':5: unknown key `facts.raeds`',
    ],
    [
      'has a wrong word',
      ['[[case]]', 'name = "a"', 'tool = "x"', 'expect = "maybe"'],
      ':4: `expect`: ',
    ],
    ['says no expectation', ['[[case]]', 'name = "a"', 'tool = "x"'], ':1: `expect`: '],
    ['has no tool', ['', '[[case]]', 'name = "a"', 'expect = "ask"'], ':2: `tool`: needs a `tool`'],
    [
      'says the same twice',
      [
        '[[case]]',
        'name = "a"',
        'tool = "x"',
        'expect = "ask"',
        'arguments = {}',
        '[case.facts]',
        'reads = []',
      ],
      ':6: `facts`: takes `arguments` or `facts`, not both',
    ],
    [
      'is wrong in its second case',
      ['[[case]]', 'name = "a"', 'tool = "x"', 'expect = "ask"', '[[case]]', 'name = 3'],
      ':6: `name`: ',
    ],
    ['repeats what a person sent, unseen characters visible', ['"\\u202e" = 1'], ':1: unknown key'],
  ])('that %s is refused with the line', (_, lines, expected) => {
    const problems = problemsIn(...lines);
    expect(problems.join('\n')).toContain(`a.policytest.toml${expected}`);
    expect(problems.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('that is far too large is refused unread', () => {
    expect(problemsIn('#'.repeat(1_048_577))).toEqual([
      'a.policytest.toml:1: larger than 1048576 bytes',
    ]);
  });

  it('may write its cases as a list, which then have no lines of their own', () => {
    expect(problemsIn('case = [{ name = "a", tool = "x", expect = "no" }]')).toEqual([
      expect.stringContaining('a.policytest.toml:1: `expect`'),
    ]);
  });
});
