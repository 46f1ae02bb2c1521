import { byteWords, plural } from '@palyra/client';
import { Executor, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { executorWord, shortTime, statusWord } from './words.ts';

describe('words', () => {
  it('speak enum values, also those of a newer daemon', () => {
    expect(statusWord(RunStatus.INTERRUPTED)).toBe('interrupted');
    expect(executorWord(Executor.SANDBOX_TIER_A_WASM)).toBe('sandbox tier a wasm');
  });

  it('shorten a time and leave alone what is none', () => {
    expect(shortTime('2026-11-15T21:30:04.120Z')).toBe('2026-11-15 21:30:04');
    expect(shortTime('\u001bnow')).toBe('\\u{001b}now');
  });

  it('round bytes to what a person can hold', () => {
    expect(byteWords(0)).toBe('0 B');
    expect(byteWords(1536)).toBe('1.5 KiB');
    expect(byteWords(85 * 1024 ** 2)).toBe('85 MiB');
  });

  it('count one thing as one', () => {
    expect(plural(1, 'entry', 'entries')).toBe('1 entry');
    expect(plural(0, 'call')).toBe('0 calls');
  });
});
