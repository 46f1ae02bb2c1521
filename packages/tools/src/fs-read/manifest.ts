import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { filePath } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const fsReadArguments = () =>
  z.strictObject({
    path: filePath().describe('the file in the workspace'),
    first_line: z.int().min(1).max(10_000_000).default(1).describe('the line to start at, from 1'),
    max_lines: z.int().min(1).max(100_000).default(2000).describe('how many lines at most'),
    // Absent and not 0: calls without it keep the digest, and the size, that they always had.
    offset: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .exactOptional()
      .describe('the byte of that line to start at, as the page before says it'),
  });

export const fsRead = declareTool({
  name: 'fs.read',
  description: 'reads lines of a text file',
  capabilities: [Capability.FILESYSTEM_READ],
  risk: Risk.LOW,
  effects: 'reads',
  placedBy: 'path',
  schema: fsReadArguments,
  meaning: ({ path }) => read({ reads: [path] }),
});
