import { create } from '@bufbuild/protobuf';
import { type FileChange, FileChangeSchema } from '@palyra/protocol';

/** Folders that a run made on the way to its files, so that an undo knows which of them are its own. */
export class MadeFolders {
  readonly #made = new Set<string>();

  add(change: FileChange): void {
    const folders = foldersOf(change);
    for (const folder of folders.slice(folders.length - change.madeFolders)) {
      this.#made.add(keyOf(change, folder));
    }
  }

  /** The same change, with all folders on its way that the run made, whichever change of it did. */
  alongWith(change: FileChange): FileChange {
    const folders = foldersOf(change).toReversed();
    const other = folders.findIndex((folder) => !this.#made.has(keyOf(change, folder)));
    const madeFolders = other === -1 ? folders.length : other;
    return create(FileChangeSchema, { ...change, madeFolders });
  }
}

/** From the outermost on, each with all names from the workspace. */
function foldersOf({ path }: FileChange): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'));
}

function keyOf({ workspace }: FileChange, folder: string): string {
  return `${workspace?.number ?? ''} ${folder}`;
}
