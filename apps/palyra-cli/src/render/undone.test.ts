import { create } from '@bufbuild/protobuf';
import { UndoOutcome, UndoneFileSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printUndone } from './undone.ts';

const file = (path: string, outcome: UndoOutcome, beforeSha256 = 'ab') =>
  create(UndoneFileSchema, { path, outcome, beforeSha256 });

it('tells what was restored, removed and as it was', () => {
  const { terminal, stdout } = recordedTerminal();
  printUndone(terminal, [
    file('a.txt', UndoOutcome.RESTORED),
    file('made.txt', UndoOutcome.RESTORED, ''),
    file('same.txt', UndoOutcome.UNCHANGED),
  ]);
  expect(stdout()).toBe(
    [
      '✓ a.txt  restored',
      '✓ made.txt  removed: there was none before',
      '– same.txt  is as it was already',
      '',
    ].join('\n'),
  );
});

it('tells what was refused and why, what was left for that, and nothing that a terminal obeys', () => {
  const { terminal, stdout } = recordedTerminal();
  const error = { message: '`b.txt` was changed since', help: 'compare it yourself' };
  printUndone(terminal, [
    file('a\u001b[2J.txt', UndoOutcome.HELD_BACK),
    create(UndoneFileSchema, { path: 'b.txt', outcome: UndoOutcome.REFUSED, error }),
  ]);
  expect(stdout()).not.toContain('\u001b');
  expect(stdout()).toContain('could be restored and was left\n');
  expect(stdout()).toContain(
    '✗ b.txt  refused: `b.txt` was changed since\n  compare it yourself\n',
  );
  expect(stdout()).toContain('\nnothing was restored: 1 file cannot be\n');
});
