import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, text } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const memorySave = declareTool({
  name: 'memory.save',
  description: 'remembers a text for later runs',
  capabilities: [Capability.MEMORY],
  // What is remembered speaks in later runs, also when it was somebody else's words.
  risk: Risk.MEDIUM,
  effects: 'changes',
  schema: () =>
    z.strictObject({
      text: text({ least: 1, most: 16_384 }).describe('what to remember'),
    }),
  meaning: (args) => read({ bodyBytes: bytesOf(args.text) }),
});
