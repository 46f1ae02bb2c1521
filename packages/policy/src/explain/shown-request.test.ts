import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine, wordsOf } from '../request/process.ts';
import { call, git, paths } from './explain.fixture.ts';
import { MAX_SHOWN_ITEMS, MAX_SHOWN_TEXT, shownRequest } from './shown-request.ts';

describe('a request that is shown', () => {
  it('is what it was when nothing in it is secret or long', () => {
    const request = call({ context: { ...git('status'), secrets: ['deploy'] } });
    expect(shownRequest(request)).toEqual(request);
  });

  it('has no secret in its command line, nor among its arguments', () => {
    const shown = shownRequest(
      call({ context: git('hunter2hunter2', '--token', 'hunter2hunter2') }),
    );
    expect(shown.context['process']).toMatchObject({
      first: 'hunter2hunter2',
      commandLine: '/usr/bin/git hunter2hunter2 --token [redacted]',
    });
    const other = shownRequest(call({ context: git('--token', 'hunter2hunter2', 'push') }));
    expect(other.context['process']).toMatchObject({
      first: '--token',
      arguments: ['--token', '[redacted]', 'push'],
      commandLine: '/usr/bin/git --token [redacted] push',
    });
  });

  it('has no piece of a secret among the names in its words', () => {
    const { process } = git('--Token', 'hunter2/Hunter2', 'push');
    const names = ['--token', 'git', 'hunter2', 'push'];
    const shown = shownRequest(call({ context: { process: { ...process, names } } }));
    expect(shown.context['process']).toMatchObject({
      names: ['--token', 'git', '[redacted]', 'push'],
      commandLine: '/usr/bin/git --Token [redacted] push',
    });
  });

  it('has no password of a program in any of its facts', () => {
    const { process } = git('-u', 'root', '-phunter2', 'db');
    const names = ['-phunter2', '-u', 'db', 'mysql', 'root'];
    const line = { executable: 'mysql', name: 'mysql', commandLine: 'mysql -u root -phunter2 db' };
    const shown = shownRequest(call({ context: { process: { ...process, ...line, names } } }));
    expect(shown.context['process']).toMatchObject({
      arguments: ['[redacted]', '-u', 'db', 'root'],
      names: ['[redacted]', '-u', 'db', 'mysql', 'root'],
      commandLine: 'mysql -u root -p[redacted] db',
    });
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });

  it('has no secret in the program itself, where somebody put an assignment', () => {
    const { process } = git('-c', 'x');
    const line = {
      executable: 'DB_PASS=hunter2',
      name: 'DB_PASS=hunter2',
      commandLine: 'DB_PASS=hunter2 psql',
    };
    const names = ['db_pass=hunter2', 'psql'];
    const shown = shownRequest(call({ context: { process: { ...process, ...line, names } } }));
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });

  it('has no secret in the name of what it is about', () => {
    const secret = `ghp_${'x9Y8'.repeat(9)}`;
    const shown = shownRequest(call({ tool: secret, context: { writes: paths(secret) } }));
    expect(JSON.stringify(shown)).not.toContain('x9Y8');
  });

  it('is cut where it is long', () => {
    const many = Array.from({ length: MAX_SHOWN_ITEMS + 3 }, (_, n) => `${n}`);
    const long = 'a b '.repeat(MAX_SHOWN_TEXT);
    const { context } = shownRequest(call({ context: { agent: long, writes: paths(...many) } }));
    expect(context['agent']).toBe(`${long.slice(0, MAX_SHOWN_TEXT)}… (cut)`);
    expect(context['writes']).toMatchObject({
      all: [...many.slice(0, MAX_SHOWN_ITEMS), '… (3 more)'],
    });
  });
});

describe('the words of a command line', () => {
  it('are those that it was written of', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('', ' ', '\\"', '\\u{41}', '"'),
    );
    fc.assert(
      fc.property(fc.array(word.filter((each) => each.isWellFormed())), (words) => {
        expect(wordsOf(commandLine(words))).toEqual(words);
      }),
    );
  });
});
