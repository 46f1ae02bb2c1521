import { PalyraError, folderGone, visibleText } from '@palyra/kernel';
import { type Exit, EXITS, exitOfError } from './exit-codes.ts';
import { LostRun } from './lost-run.ts';
import { NoSuchKey } from './no-such-key.ts';
import { UsageError } from './usage-error.ts';
import type { Terminal } from './terminal.ts';

export type FailureShape = 'text' | 'json';

/** The last seam: whatever went wrong ends here as one sentence, a way out and an exit code. */
export function showFailure(reason: unknown, terminal: Terminal, shape: FailureShape): Exit {
  const error = toPalyraError(reason);
  const exit = exitOf(error);
  // What the message quotes may come from a file, a model or the wire.
  const message = visibleText(error.message, 'one-line');
  const help = visibleText(error.help, 'one-line');
  if (shape === 'json') {
    terminal.json('error', { error: { code: error.code, message, help, exit: EXITS[exit].code } });
    return exit;
  }
  const { paintNote } = terminal;
  terminal.note(`${paintNote('bad', `error ${error.code}:`)} ${message}`);
  terminal.note(`  ${paintNote('quiet', 'try:')} ${help}`);
  return exit;
}

function exitOf(error: PalyraError): Exit {
  if (error instanceof NoSuchKey) return 'notFound';
  return error instanceof LostRun ? 'interrupted' : exitOfError(error.code);
}

function toPalyraError(reason: unknown): PalyraError {
  if (reason instanceof UsageError) {
    return new PalyraError('INVALID_INPUT', reason.message, { help: reason.help });
  }
  const named = reason instanceof PalyraError ? reason : folderGone(reason);
  if (named !== undefined) return named;
  // The person at the terminal owns this machine: the platform's own words help, its stack does not.
  const words = reason instanceof Error ? reason.message : 'unexpected failure';
  return new PalyraError('UNEXPECTED', words.split('\n', 1)[0] ?? words, { cause: reason });
}
