import { type Invocation, wantsJson } from '../../command.ts';
import type { Exit } from '../../exit-codes.ts';
import { printStep, provenWords } from '../../render/verdict.ts';
import { type Proof, proveSandbox } from '../../sandbox-proof.ts';
import type { Terminal } from '../../terminal.ts';
import { readSteps } from '../../verdict-answer.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  terminal.progress('trying to break out of real sandboxes …');
  try {
    const proof = await proveSandbox(invocation.shell);
    terminal.progress('');
    if (wantsJson(invocation)) terminal.json('sandbox_proof', { ...proof });
    else print(terminal, proof);
    return proof.works ? 'ok' : 'failure';
  } finally {
    terminal.progress('');
  }
}

function print(terminal: Terminal, { works, verdict, isJournaled }: Proof): void {
  const { paint, symbols } = terminal;
  const steps = readSteps(verdict);
  for (const step of steps) printStep(terminal, step);
  const ofTierC = steps.filter(({ step }) => step !== 'process');
  terminal.print(
    works
      ? paint('good', `${symbols.done} tier C is proven: ${provenWords(ofTierC)}`)
      : paint('bad', `${symbols.failed} tier C is refused: ${provenWords(ofTierC)}`),
  );
  const who = isJournaled
    ? 'the gateway did this, and its journal tells of it'
    : 'no gateway runs here, so no journal tells of it';
  terminal.print(paint('quiet', `  ${who}`));
}
