import { type Flags, usage } from '../command-line.ts';
import type { Surroundings } from '../sections.ts';
import type { Answer } from './commands.ts';

/** What is asked of sandboxes without a daemon; each starts the process that makes them for itself. */
export async function answerSandbox(
  [command, ...rest]: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  switch (command) {
    case 'run': {
      if (rest.length > 0) throw usage('expected no argument');
      const { runSandbox } = await import('./sandbox-run.ts');
      return await runSandbox(surroundings, flags);
    }
    case 'prove': {
      const { proveAnswer } = await import('./sandbox-prove.ts');
      return await proveAnswer(rest, surroundings, flags);
    }
    case 'status': {
      const { statusAnswer } = await import('./sandbox-status.ts');
      return await statusAnswer(rest, surroundings, flags);
    }
    case 'explain': {
      const { explainAnswer } = await import('./sandbox-explain.ts');
      return await explainAnswer(rest, surroundings, flags);
    }
    case undefined:
    default:
      throw usage('there is no such command');
  }
}
