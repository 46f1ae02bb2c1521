import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './command-line.ts';

describe('the command line', () => {
  it('serves when nothing else is said', () => {
    expect(parseCommandLine([])).toEqual({ kind: 'serve', flags: {}, until: 'signal' });
  });

  it('can serve only for as long as somebody holds its standard input', () => {
    expect(parseCommandLine(['--until-stdin-ends'])).toEqual({
      kind: 'serve',
      flags: {},
      until: 'stdin-ends',
    });
  });

  it('takes settings, split at the first equals sign', () => {
    const words = ['--set', 'log.level=debug', '--set', 'models.script=/a=b'];
    expect(parseCommandLine(words)).toEqual({
      kind: 'serve',
      flags: { 'log.level': 'debug', 'models.script': '/a=b' },
      until: 'signal',
    });
  });

  it('passes the words of an offline command on', () => {
    expect(parseCommandLine(['config', 'get', 'log.level'])).toEqual({
      kind: 'offline',
      words: ['config', 'get', 'log.level'],
      flags: {},
    });
  });

  it('takes a value that begins with a dash after two dashes', () => {
    expect(parseCommandLine(['config', 'set', 'k', '--', '-1'])).toMatchObject({
      words: ['config', 'set', 'k', '-1'],
    });
  });

  it('knows help and version', () => {
    expect(parseCommandLine(['-h'])).toEqual({ kind: 'help' });
    expect(parseCommandLine(['--version'])).toEqual({ kind: 'version' });
  });

  it.each([
    [['--bogus']],
    [['--set', 'nothing']],
    [['--set', '=x']],
    [['--set']],
    [['--until-stdin-ends', 'config', 'show']],
  ])('refuses %j', (words) => {
    expect(() => parseCommandLine(words)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});
