import { create } from '@bufbuild/protobuf';
import { JournalEntrySchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { entryLine } from './entry-line.ts';

const decided = create(JournalEntrySchema, {
  sequence: 42n,
  time: '2026-11-15T21:30:04.120Z',
  kind: 'tool.decided',
  payload: { kind: 'DECISION_KIND_DENY', reason: 'no rule\n allows \u001b[2J it' },
});

describe('an entry on one line', () => {
  it('tells number, time, kind and what matters', () => {
    expect(entryLine(recordedTerminal().terminal, decided)).toBe(
      '    42  2026-11-15 21:30:04  tool.decided        deny  no rule allows \\u{001b}[2J it',
    );
  });

  it('fits the terminal', () => {
    const line = entryLine(recordedTerminal({ columns: 60 }).terminal, decided);
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line.endsWith('…')).toBe(true);
  });
});
