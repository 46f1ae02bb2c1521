import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const browserRead = declareTool({
  name: 'browser.read',
  description: 'reads the text of the open page, with a name for each element that can be used',
  capabilities: [Capability.BROWSER],
  risk: Risk.LOW,
  effects: 'reads',
  schema: () => z.strictObject({}),
  meaning: () => read({}),
});
