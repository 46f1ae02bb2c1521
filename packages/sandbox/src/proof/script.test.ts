import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { refused, shows } from './probe.ts';
import { readAnswers, scriptOf } from './script.ts';

const PROBES = [
  refused({ id: 'try.missing', says: 'x', line: 'cat /no/such/place' }),
  refused({ id: 'try.works', says: 'x', line: 'echo "it\'s here"' }),
  refused({ id: 'try.unknown', says: 'x', line: 'no-such-program' }),
  shows({ id: 'see.lines', says: 'x', line: 'echo one; echo two' }, { expected: '', holds: /./ }),
  shows({ id: 'see.nothing', says: 'x', line: ':' }, { expected: '', holds: /^$/ }),
];

describe('the script of probes', () => {
  it("tells the kernel's own words for what failed, and what worked as such", () => {
    const answers = readAnswers(
      execFileSync('/bin/sh', ['-c', scriptOf(PROBES)], {
        encoding: 'utf8',
        env: { LANG: 'C' },
      }),
    );
    expect(Object.fromEntries(answers)).toEqual({
      'try.missing': 'No such file or directory',
      'try.works': 'it worked',
      'try.unknown': 'not found',
      'see.lines': 'one two',
      'see.nothing': '',
    });
  });

  it('counts neither a success nor a missing program as a refusal', () => {
    const [missing] = PROBES;
    expect(missing?.holds('Read-only file system')).toBe(true);
    expect(missing?.holds('it worked')).toBe(false);
    expect(missing?.holds('not found')).toBe(false);
    expect(missing?.holds('')).toBe(false);
  });

  it('bounds what it takes from inside', () => {
    const answers = readAnswers(`a.b\t${'x'.repeat(10_000)}`);
    expect(answers.get('a.b')).toHaveLength(200);
  });
});
