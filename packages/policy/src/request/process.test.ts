import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ARGUMENTS, commandLine, processFacts, processProblem } from './process.ts';

describe('a command line', () => {
  it.each([
    [['git', 'status'], 'git status'],
    [['git', 'commit', '-m', 'a b'], 'git commit -m "a b"'],
    [['echo', ''], 'echo ""'],
    [['echo', '"'], String.raw`echo "\""`],
    [['echo', "it's"], `echo "it's"`],
    [['echo', String.raw`a\b`], String.raw`echo a\b`],
    [['echo', String.raw`a\ b`], String.raw`echo "a\\ b"`],
    [['echo', 'a\nb'], String.raw`echo "a\u{a}b"`],
    [['echo', 'a\u00A0b'], String.raw`echo "a\u{a0}b"`],
    [['echo', 'a\u202Eb'], String.raw`echo "a\u{202e}b"`],
    [['echo', 'naïve', '日本'], 'echo naïve 日本'],
  ])('of %j is %s', (words, line) => {
    expect(commandLine(words)).toBe(line);
  });

  /** Characters that quoting is about come often; all others come too. */
  const word = fc.string({
    unit: fc.oneof(
      fc.constantFrom(' ', '"', "'", '\\', 'u', '{', '}', 'a', '\n', '\u00A0'),
      anyOf(),
    ),
    maxLength: 8,
  });

  it('can be read back to its words, so no two calls share one', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        expect(wordsOf(commandLine(words))).toEqual(words);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds nothing that cannot be seen', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        expect(commandLine(words)).not.toMatch(/(?! )[\p{C}\p{Z}]/u);
      }),
    );
  });
});

describe('the facts of a process', () => {
  it('hold the names of the variables that are set, and nothing where none are', () => {
    const command = { executable: 'git', arguments: [], directory: '.' };
    expect(processFacts({ ...command, environment: ['TZ', 'CI'] })).toMatchObject({
      environment: ['CI', 'TZ'],
    });
    expect(processFacts({ ...command, environment: [] })).not.toHaveProperty('environment');
  });

  it('are its executable, its name, and its arguments in order and as a set', () => {
    const command = { executable: '/usr/bin/git', arguments: ['log', '-p', 'log'], directory: '.' };
    expect(processFacts(command)).toEqual({
      executable: '/usr/bin/git',
      name: 'git',
      first: 'log',
      arguments: ['-p', 'log'],
      names: ['-p', 'git', 'log'],
      count: 3,
      commandLine: '/usr/bin/git log -p log',
      directory: '.',
    });
  });

  it('without arguments have an empty first', () => {
    const facts = processFacts({ executable: 'ls', arguments: [], directory: 'a' });
    expect(facts).toMatchObject({ first: '', arguments: [], count: 0, commandLine: 'ls' });
  });

  it('with too many arguments are a problem', () => {
    const args = Array.from({ length: MAX_ARGUMENTS + 1 }, () => 'a');
    const command = { executable: 'a', arguments: args, directory: '.' };
    expect(processProblem(command)).toBe('the command has more than 1024 arguments');
    expect(processProblem({ ...command, arguments: args.slice(1) })).toBeUndefined();
  });
});

function anyOf(): fc.Arbitrary<string> {
  return fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
}

/** The inverse of the quoting, written from its description alone. */
function wordsOf(line: string): readonly string[] {
  const words = line.matchAll(
    /(?:^|(?<= ))(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^ "]+))(?= |$)/gsu,
  );
  return [...words].map(({ groups = {} }) => groups['plain'] ?? unescaped(groups['quoted'] ?? ''));
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u\{(?<hex>[\da-f]+)\}|(?<itself>["\\]))/gu, (...parts) => {
    const { hex, itself } = parts.at(-1);
    return itself ?? String.fromCodePoint(Number.parseInt(hex, 16));
  });
}
