import { readWhole } from './content.ts';
import { isMountPointAt } from './mount-points.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { glanceAt, openFile, openFolder } from './place.ts';
import { failed } from './refusals.ts';

/**
 * A text at the top of the workspace, opened as `fs.read` opens. Contract: `undefined` when it is not
 * there; throws PalyraErrors only.
 */
export function readTopText(
  workspace: OpenWorkspace,
  name: string,
  limitBytes: number,
): string | undefined {
  using folder = openFolder(workspace, []);
  // Most have none, and each run asks: an error that says so would take longer than the rest.
  if (glanceAt(folder, name) === undefined) return undefined;
  if (isMountPointAt(workspace, folder, name)) return undefined;
  using file = openFile(workspace, folder, name);
  const bytes = readWhole(file, name, limitBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The only way in which it throws.
    throw failed(name, 'is not UTF-8 text', 'save it as UTF-8');
  }
}
