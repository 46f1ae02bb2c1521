import { canAsk, confirm } from './ask.ts';
import { type Invocation, wantsJson } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Contract: false when the person says no; throws where there is nobody to ask and no `--yes`. */
export async function consents(invocation: Invocation, question: string): Promise<boolean> {
  if (invocation.flags.has('yes')) return true;
  if (canAsk() && !wantsJson(invocation)) return await confirm(question);
  throw new UsageError(
    'this needs a yes, and there is nobody to ask',
    'add `--yes` if you mean it',
  );
}
