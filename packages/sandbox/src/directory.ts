import { PalyraError, quote } from '@palyra/kernel';
import { type Workspace, openFolder } from './tier-c-bubblewrap/workspace.ts';

/** The folder in which a command starts. Contract: open; throws SANDBOX_SCOPE_DENIED. */
export function openDirectory(
  { descriptor }: Pick<Workspace, 'descriptor'>,
  directory: string,
): number {
  try {
    return openFolder(descriptor, directory);
  } catch (cause) {
    throw new PalyraError(
      'SANDBOX_SCOPE_DENIED',
      `the folder ${quote(directory)} is not in the workspace, or a link leads to it`,
      { cause, help: 'make the folder first, and name it without links' },
    );
  }
}
