import { readWhole } from './content.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { openFile, openFolder } from './place.ts';
import { failed } from './refusals.ts';

/** A text at the top of the workspace, opened as `fs.read` opens. Contract: throws PalyraErrors only, NOT_FOUND when it is not there. */
export function readTopText(workspace: OpenWorkspace, name: string, limitBytes: number): string {
  using folder = openFolder(workspace, []);
  using file = openFile(workspace, folder, name);
  const bytes = readWhole(file, name, limitBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The only way in which it throws.
    throw failed(name, 'is not UTF-8 text', 'save it as UTF-8');
  }
}
