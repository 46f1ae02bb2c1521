import { type Invocation, argument, wantsJson } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { candidateOf } from '../../../policy-candidate.ts';
import { inline } from '../../../render/words.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const candidate = await candidateOf(argument(invocation, 0));
  const { policy } = daemonOf(invocation.shell);
  const { candidateHash, replacedHash } = await policy.startShadow({ candidate });
  if (wantsJson(invocation)) {
    terminal.json('shadow', { candidateHash, replacedHash });
  } else {
    const mark = terminal.paint('good', terminal.symbols.done);
    terminal.print(`${mark} ${inline(candidateHash)} decides beside the rules in force`);
    if (replacedHash !== '')
      terminal.print(`  in the place of ${inline(replacedHash)}, which has ended`);
    terminal.print('  `palyra policy shadow report` shows what it would have decided otherwise');
  }
  return 'ok';
}
