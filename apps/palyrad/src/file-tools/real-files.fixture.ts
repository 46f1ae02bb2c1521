import { join } from 'node:path';
import { openBlobs } from '@palyra/blobs';
import { createCatalogue } from '@palyra/tools';
import { offering } from '../offered-tools.ts';
import { onlyIn } from '../workspaces.fixture.ts';
import { createFileTools } from './file-tools.ts';

/** What a gateway needs to work on the files of a folder of the test, with what it keeps of them beside it. */
export function realFilesIn(home: string, folder = 'workspace') {
  const kept = join(home, 'blobs');
  const workspaces = onlyIn({ workspace: join(home, folder), folders: [kept] });
  const files = createFileTools({
    workspaces,
    blobs: openBlobs({ folder: kept, maxBytes: 1_000_000 }),
  });
  return {
    catalogue: offering(createCatalogue(), (tool) => files.carriesOut(tool)),
    sandbox: {
      place: async () => files.place,
      preview: (...asked: Parameters<typeof files.preview>) => files.preview(...asked),
      expect: () => {},
      expectRun: () => {},
      execute: (...asked: Parameters<typeof files.execute>) => files.execute(...asked),
    },
    undo: files.undo,
    workspace: workspaces,
  };
}
