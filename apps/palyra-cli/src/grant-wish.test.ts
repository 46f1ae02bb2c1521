import { GrantScope } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import type { Count, Invocation } from './command.ts';
import { grantWishOf } from './grant-wish.ts';
import { UsageError } from './usage-error.ts';

const now = new Date('2026-01-01T00:00:00.000Z');

const FALLBACK: Count = { value: 100, from: 'fallback' };
const FIVE: Count = { value: 5, from: 'command-line' };

function wishFor(options: Readonly<Record<string, string>>, uses = FALLBACK) {
  const invocation: Invocation = {
    arguments: [],
    text: new Map(Object.entries(options)),
    texts: new Map(),
    counts: new Map([['uses', uses]]),
    flags: new Set(),
    shell: {
      terminal: recordedTerminal().terminal,
      environment: {},
      entryFile: '',
      ending: new AsyncDisposableStack(),
    },
  };
  return grantWishOf(invocation, now);
}

describe('how long a yes holds', () => {
  it('is once unless something else is said', () => {
    expect(wishFor({})).toEqual({ scope: GrantScope.ONCE, shape: '', until: '', uses: 0 });
  });

  it('is the session, for a named shape and so many calls', () => {
    expect(wishFor({ scope: 'session', shape: 'command' }, FIVE)).toEqual({
      scope: GrantScope.SESSION,
      shape: 'command',
      until: '',
      uses: 5,
    });
  });

  it('is not once for so many calls', () => {
    const refusal = expect.objectContaining({ help: expect.stringContaining('--scope session') });
    expect(() => wishFor({}, FIVE)).toThrow(refusal);
    expect(() => wishFor({ scope: 'once' }, FIVE)).toThrow(refusal);
  });

  it('is told by an example that would be taken, with the bound', () => {
    expect(() => wishFor({ scope: 'until=soon' })).toThrow(
      expect.objectContaining({
        help: 'for example `--scope until=2h` or `--scope until=2026-01-01T01:00:00Z`, at most 30 days ahead',
      }),
    );
  });

  it('is a span from now, or a moment', () => {
    const { scope, until } = wishFor({ scope: 'until=2h' });
    expect({ scope, until }).toEqual({
      scope: GrantScope.UNTIL,
      until: '2026-01-01T02:00:00.000Z',
    });
    expect(wishFor({ scope: 'until=2026-01-31T18:00:00Z' }).until).toBe('2026-01-31T18:00:00.000Z');
  });

  it.each(['always', 'until', 'until=', 'until=soon', 'until=2h30m', 'Session', ''])(
    'is not `%s`',
    (scope) => {
      expect(() => wishFor({ scope })).toThrow(UsageError);
    },
  );
});
