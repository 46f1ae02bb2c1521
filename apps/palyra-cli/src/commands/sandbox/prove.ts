import { isJsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { printStep, provenWords } from '../../render/verdict.ts';
import { readSteps } from '../../verdict-answer.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  terminal.progress('trying to break out of real sandboxes …');
  try {
    const { verdict } = await askDaemonProgram(invocation.shell, ['sandbox', 'prove']);
    terminal.progress('');
    const works = isJsonObject(verdict) && verdict['tier'] === 'C';
    if (wantsJson(invocation)) {
      terminal.json('sandbox_proof', { works, verdict });
    } else {
      const steps = readSteps(verdict);
      for (const step of steps) printStep(terminal, step);
      const { paint, symbols } = terminal;
      const ofTierC = steps.filter(({ step }) => step !== 'process');
      terminal.print(
        works
          ? paint('good', `${symbols.done} tier C is proven: ${provenWords(ofTierC)}`)
          : paint('bad', `${symbols.failed} tier C is refused: ${provenWords(ofTierC)}`),
      );
    }
    return works ? 'ok' : 'failure';
  } finally {
    terminal.progress('');
  }
}
