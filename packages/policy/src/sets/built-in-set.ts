import type { Compiled, ModeInForce } from '../model.ts';
import { assemble } from './assemble.ts';
import { builtInFiles } from './built-in.ts';
import type { KnownTools } from './check-rule.ts';
import { knownFile, knownSchema } from './known-files.ts';
import { inOrder } from './set-hash.ts';

/**
 * The set of a gateway to which nobody has added a rule: put together from what Cedar made of the
 * built-in files when they were generated, so it takes neither Cedar nor a process.
 * Contract: `undefined` when the generated modules do not fit one another; then Cedar has to look.
 */
export function builtInSet(mode: ModeInForce, tools?: KnownTools): Compiled | undefined {
  const files = inOrder(builtInFiles(mode));
  const known = files.map(knownFile).filter((file) => file !== undefined);
  if (known.length !== files.length) return undefined;
  return assemble(files, { mode, ...(tools === undefined ? {} : { tools }) }, () => ({
    schema: knownSchema(),
    files: known,
    validate: () => [],
    hasBroken: () => false,
  }));
}
