import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { element } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const browserClick = declareTool({
  name: 'browser.click',
  description: 'clicks an element of the open page',
  // A click can send what a page holds to where the page wants.
  capabilities: [Capability.BROWSER, Capability.NETWORK],
  risk: Risk.HIGH,
  effects: 'unknown',
  schema: () => z.strictObject({ element: element() }),
  meaning: () => read({}),
});
