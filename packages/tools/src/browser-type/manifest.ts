import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, element, text } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const browserType = declareTool({
  name: 'browser.type',
  description: 'types a text into an element of the open page',
  // A page can send on each letter as it is typed.
  capabilities: [Capability.BROWSER, Capability.NETWORK],
  risk: Risk.HIGH,
  effects: 'unknown',
  schema: () =>
    z.strictObject({
      element: element(),
      text: text({ least: 1, most: 16_384 }).describe('what to type'),
    }),
  meaning: (args) => read({ bodyBytes: bytesOf(args.text) }),
});
