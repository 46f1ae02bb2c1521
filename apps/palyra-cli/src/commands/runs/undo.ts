import { UndoOutcome, UndoneFileSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printUndone } from '../../render/undone.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { runs } = daemonOf(invocation.shell);
  const [, callId = ''] = invocation.arguments;
  const { files } = await runs.undoRun({ runId: argument(invocation, 0), callId });
  if (wantsJson(invocation)) {
    terminal.json('undo', { files: files.map((file) => wireJson(UndoneFileSchema, file)) });
  } else {
    printUndone(terminal, files);
  }
  const isDone = files.every(
    ({ outcome }) => outcome === UndoOutcome.RESTORED || outcome === UndoOutcome.UNCHANGED,
  );
  return isDone ? 'ok' : 'failure';
}
