import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { originWords, readSettings, valueWords } from './config-answer.ts';

describe('an answer about the configuration', () => {
  it('names the layer and the place in it', () => {
    expect(originWords({ kind: 'built-in' })).toBe('built-in');
    expect(originWords({ kind: 'profile', profile: 'local' })).toBe('profile local');
    expect(originWords({ kind: 'user', file: '/a/palyra.toml', line: 3 })).toBe(
      'user /a/palyra.toml:3',
    );
    expect(originWords({ kind: 'environment', name: 'PALYRA_LOG_LEVEL' })).toBe(
      'environment PALYRA_LOG_LEVEL',
    );
  });

  it('shows values as the file would have them, on one line', () => {
    expect(valueWords('a\n\u202eb')).toBe('"a\\n\\u{202e}b"');
    expect(valueWords(['x', 1])).toBe('["x",1]');
    expect(valueWords(undefined)).toBe('not set');
  });

  it('is refused when it has no settings', () => {
    expect(() => readSettings({})).toThrow(PalyraError);
  });
});
