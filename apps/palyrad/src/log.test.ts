import { stripVTControlCharacters } from 'node:util';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

function prettyLog(level: 'debug' | 'info' = 'info') {
  const lines: string[] = [];
  const log = createLog(
    { level, format: 'auto' },
    { isTerminal: true, write: (line) => lines.push(stripVTControlCharacters(line)) },
  );
  return { log, lines };
}

describe('the log', () => {
  it('writes one line an event, values as fields', () => {
    const { log, lines } = prettyLog();
    log.with({ runId: 'R1' }).info('run ended', { calls: 3, status: 'done' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info  run ended runId=R1 calls=3 status=done\n$/,
    );
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = prettyLog('info');
    log.debug('detail');
    expect(lines).toEqual([]);
  });

  it(
    'never shows a secret, by name or by shape, also in what was bound',
    verifies('daemon:log-has-no-secrets'),
    () => {
      const { log, lines } = prettyLog();
      log
        .with({ authorization: 'Bearer abcdefghijkl' })
        .warn('odd', { password: 'hunter2', text: 'key sk-abcdefghijklmnopqrstuv here' });
      expect(lines.join('')).not.toMatch(/hunter2|abcdefgh/);
      expect(lines.join('')).toContain('[redacted]');
    },
  );

  it('keeps text from outside on its line', () => {
    const { log, lines } = prettyLog();
    log.info('said', { text: 'one\ntwo\u001b[2J' });
    expect(lines.join('').split('\n')).toHaveLength(2);
    expect(lines[0]).toContain('\\u{001b}');
  });
});
