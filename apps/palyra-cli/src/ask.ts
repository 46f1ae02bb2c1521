import { createInterface } from 'node:readline';
import { type Invocation, wantsJson } from './command.ts';

/** Somebody sits in front of this program and can answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.stdin.readableEnded;
}

/** They type, and see a screen that is drawn on standard output: what is noted beside it may go to a file. */
export function canDraw({ shell }: Invocation): boolean {
  return process.stdin.isTTY && shell.terminal.isInteractive && !process.stdin.readableEnded;
}

/** They also see what standard output says, so that a question can be shown there. */
export function canConverse(invocation: Invocation): boolean {
  return canAsk() && invocation.shell.terminal.isInteractive && !wantsJson(invocation);
}

/**
 * One line from the person. Contract: `undefined` when they end their input or press Ctrl-C, or when
 * the question is taken back.
 */
export async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const onAbort = () => reader.close();
  reader.once('line', resolve);
  reader.once('close', () => resolve(undefined));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  else {
    reader.setPrompt(question);
    reader.prompt();
  }
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    reader.close();
  }
}

/** Contract: only a clear yes is one. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  return isYes(await ask(`${question} [y/N] `, signal));
}

export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}
