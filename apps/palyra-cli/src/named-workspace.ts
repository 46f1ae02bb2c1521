import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from './command.ts';

/** The folder of `--workspace`. Contract: empty without it, for that in which the gateway was started. */
export function namedWorkspace({ text }: Pick<Invocation, 'text'>): string {
  const named = text.get('workspace');
  return named === undefined ? '' : withoutLinks(resolve(named));
}

/** A gateway on another machine has folders that are not here. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
