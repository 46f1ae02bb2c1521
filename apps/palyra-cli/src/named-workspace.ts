import { resolve } from 'node:path';
import type { Invocation } from './command.ts';

/** The folder of `--workspace`. Contract: empty without it, for that in which the gateway was started. */
export function namedWorkspace({ text }: Pick<Invocation, 'text'>): string {
  const named = text.get('workspace');
  return named === undefined ? '' : resolve(named);
}
