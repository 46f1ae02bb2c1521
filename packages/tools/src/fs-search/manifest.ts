import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { path, text } from '../arguments.ts';
import { WORKSPACE } from '../canonical/path.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const fsSearch = declareTool({
  name: 'fs.search',
  description:
    'finds lines with a text in a file or below a folder, not in secrets or files of the gateway',
  capabilities: [Capability.FILESYSTEM_READ],
  risk: Risk.LOW,
  schema: () =>
    z.strictObject({
      text: text({ least: 1, most: 1024 }).describe('what to find, letter by letter'),
      path: path().default(WORKSPACE).describe('where to look, from the workspace or from `/`'),
      max_results: z.int().min(1).max(1000).default(100).describe('how many lines at most'),
    }),
  meaning: (args) => read({ reads: [args.path], readsBelow: true }),
});
