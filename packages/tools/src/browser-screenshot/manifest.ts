import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const browserScreenshot = declareTool({
  name: 'browser.screenshot',
  description: 'takes a picture of the open page',
  capabilities: [Capability.BROWSER],
  risk: Risk.LOW,
  effects: 'reads',
  schema: () =>
    z.strictObject({
      area: z.enum(['visible', 'whole-page']).default('visible').describe('how much of the page'),
    }),
  meaning: () => read({}),
});
