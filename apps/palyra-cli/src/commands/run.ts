import { type Invocation, argument } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { namedWorkspace } from '../named-workspace.ts';
import { readImages } from '../prompt-images.ts';
import { readPrompt } from '../prompt-input.ts';
import { steerRun } from '../steer-run.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const start = {
    images: [...(await readImages(invocation.texts.get('image') ?? []))],
    prompt: await promptOf(invocation),
    sessionId: invocation.text.get('session') ?? '',
    model: invocation.text.get('model') ?? '',
    mayWait: invocation.flags.has('queue'),
    workspace: namedWorkspace(invocation),
  };
  return await steerRun(invocation, { command: { case: 'start', value: start } });
}

/** The system bounds a command line, at 128 KiB on Linux; what is longer comes in by `-`. */
async function promptOf(invocation: Invocation): Promise<string> {
  const given = argument(invocation, 0);
  if (given !== '-') return given;
  if (process.stdin.isTTY) {
    invocation.shell.terminal.note('type the prompt; Ctrl-D on a line of its own ends it');
  }
  return await readPrompt(process.stdin);
}
