import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { url } from '../arguments.ts';
import { declareTool } from '../manifest.ts';
import { webMeaning } from '../web-meaning.ts';

export const browserOpen = declareTool({
  name: 'browser.open',
  description: 'opens a page in the browser',
  capabilities: [Capability.BROWSER, Capability.NETWORK],
  risk: Risk.MEDIUM,
  effects: 'unknown',
  schema: () =>
    z.strictObject({
      url: url().describe('an address that starts with `https://` or `http://`'),
    }),
  meaning: (args) => webMeaning(args.url, 'GET'),
});
