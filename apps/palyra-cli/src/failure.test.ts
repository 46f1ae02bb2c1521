import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { showFailure } from './failure.ts';
import { UsageError } from './usage-error.ts';

describe('a failure', () => {
  it('is one line with its code and one with the way out', () => {
    const { terminal, stdout, stderr } = recordedTerminal();
    const exit = showFailure(new PalyraError('SESSION_BUSY', 'busy'), terminal, 'text');
    expect(exit).toBe('busy');
    expect(stdout()).toBe('');
    expect(stderr()).toBe(
      'error SESSION_BUSY: busy\n  try: wait for it (`palyra run --queue` does), cancel it with `palyra runs cancel RUN`, or start a new session\n',
    );
  });

  it('is JSON on standard output for a script', () => {
    const { terminal, stdout, stderr } = recordedTerminal();
    showFailure(new UsageError('what', 'like this'), terminal, 'json');
    expect(stderr()).toBe('');
    expect(JSON.parse(stdout())).toEqual({
      format: 'palyra.cli.v1',
      kind: 'error',
      error: { code: 'INVALID_INPUT', message: 'what', help: 'like this', exit: 2 },
    });
  });

  it('keeps the first line of what the platform says, and no stack', () => {
    const { terminal, stderr } = recordedTerminal();
    const exit = showFailure(new Error('EACCES: permission denied\n    at x'), terminal, 'text');
    expect(exit).toBe('failure');
    expect(stderr()).toContain('error UNEXPECTED: EACCES: permission denied\n  try: ');
    expect(stderr()).not.toContain('at x');
  });

  it('cannot bring an escape sequence to the terminal', () => {
    const { terminal, stderr } = recordedTerminal();
    showFailure(new PalyraError('NOT_FOUND', 'no `\u001b[31m\n`'), terminal, 'text');
    expect(stderr()).toContain('no `\\u{001b}[31m\\u{000a}`\n');
  });
});
