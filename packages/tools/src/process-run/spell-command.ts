import type { JsonObject } from '@palyra/kernel';
import { WORKSPACE, fromWorkspace, namedBelow, readFilePath, readPath } from '../canonical/path.ts';

/**
 * A program of the workspace that is named by its full path, as the machine or a cage calls it, is written
 * from the folder that it starts in, as it is everywhere else: rules and grants need to know no other
 * spelling. What cannot be written so stays as it is. Without a cage there is no name but the machine's.
 */
export function spellCommand(args: JsonObject, workspace: string): JsonObject {
  const { command, cwd = WORKSPACE, tier } = args;
  if (typeof command !== 'string' || typeof cwd !== 'string') return args;
  const [program, folder] = [readFilePath(command), readPath(cwd)];
  if (program.kind !== 'read' || folder.kind !== 'read') return args;
  const place =
    tier === 'B' ? namedBelow(workspace, program.value) : fromWorkspace(program.value, workspace);
  if (!program.value.startsWith('/') || place === undefined) return args;
  const below = folder.value === WORKSPACE ? place : namedBelow(folder.value, place);
  const isBelow = below !== undefined && below !== WORKSPACE && !below.startsWith('/');
  return isBelow ? { ...args, command: `./${below}` } : args;
}
