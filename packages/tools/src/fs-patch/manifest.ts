import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, filePath, text } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const fsPatch = declareTool({
  name: 'fs.patch',
  description: 'changes places in a text file',
  // Whether a text is found says what the file holds, so a patch reads too.
  capabilities: [Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE],
  risk: Risk.MEDIUM,
  schema: () =>
    z.strictObject({
      path: filePath().describe('the file, from the workspace or from `/`'),
      edits: z
        .array(
          z.strictObject({
            find: text({ least: 1 }).describe('text that stands in the file exactly once'),
            replace: text().describe('what to put there'),
          }),
        )
        .min(1)
        .max(256)
        .describe('made one after another; all or none'),
    }),
  meaning: ({ path, edits }) =>
    read({
      reads: [path],
      writes: [path],
      bodyBytes: bytesOf(...edits.map(({ replace }) => replace)),
    }),
});
