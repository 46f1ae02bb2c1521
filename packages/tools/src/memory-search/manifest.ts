import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { text } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const memorySearch = declareTool({
  name: 'memory.search',
  description: 'finds what was remembered',
  capabilities: [Capability.MEMORY],
  risk: Risk.LOW,
  effects: 'reads',
  schema: () =>
    z.strictObject({
      query: text({ least: 1, most: 1024 }).describe('what it is about'),
      max_results: z.int().min(1).max(100).default(10).describe('how many at most'),
    }),
  meaning: () => read({}),
});
