import type { PolicyRequest, Rule } from '../model.ts';
import { contextReads } from '../sets/rule-walk.ts';

/**
 * The gates that ask whatever rules say on `tool.unattended`: those that do not look at it, and all of
 * them for anything but the execution of a tool.
 */
export function unsparedBy(gates: readonly Rule[], { action }: PolicyRequest): readonly Rule[] {
  if (action !== 'tool.execute') return gates;
  return gates.filter(({ json }) => {
    const { attributes, isWhole } = contextReads(json.conditions);
    return !isWhole && !attributes.has('unattended');
  });
}
