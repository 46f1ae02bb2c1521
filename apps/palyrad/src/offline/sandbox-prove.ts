import { PalyraError } from '@palyra/kernel';
import { type Flags, usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { openSandboxes } from '../sandbox-process.ts';
import { type Surroundings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';

/** Tries every attack now, whatever was kept, and keeps what came of it. */
export async function proveAnswer(
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if (rest.length > 0) throw usage('expected no argument');
  if (process.platform !== 'linux') {
    throw new PalyraError('SANDBOX_UNAVAILABLE', 'nothing can be proven on this machine yet', {
      help: 'run it on Linux; `palyra sandbox status` tells what there is here',
    });
  }
  const { sandbox: settings } = loadSettings(surroundings, flags).config;
  await using sandboxes = openSandboxes(surroundings, { settings, uses: 'once' });
  const verdict = await sandboxes.prove();
  const exit = verdict.tier === 'C' ? EXIT.ok : EXIT.failure;
  return { exit, kind: 'sandbox.prove', fields: { verdict } };
}
