import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, headers, method, text, url } from '../arguments.ts';
import { METHODS } from '../canonical/method.ts';
import { type Reading, read, unreadable } from '../canonical/reading.ts';
import { type Meaning, declareTool } from '../manifest.ts';
import { webMeaning } from '../web-meaning.ts';

export const httpFetchArguments = () =>
  z.strictObject({
    url: url().describe('an address that starts with `https://` or `http://`'),
    method: method()
      .default('GET')
      .describe(`one of ${METHODS.join(', ')}`),
    headers: headers()
      .default(() => [])
      .describe('each name once'),
    body: text().default('').describe('what to send; not with GET or HEAD'),
  });

export const httpFetch = declareTool({
  name: 'http.fetch',
  description:
    'sends an HTTP request and gives what came back; a redirect is told and not followed',
  capabilities: [Capability.NETWORK],
  risk: Risk.MEDIUM,
  effects: 'unknown',
  schema: httpFetchArguments,
  meaning,
});

function meaning(args: z.output<ReturnType<typeof httpFetchArguments>>): Reading<Meaning> {
  if (args.body !== '' && (args.method === 'GET' || args.method === 'HEAD')) {
    return unreadable(`sends a body with ${args.method}`, 'use POST, or leave the body out');
  }
  const web = webMeaning(args.url, args.method);
  return web.kind === 'read' ? read({ ...web.value, bodyBytes: bytesOf(args.body) }) : web;
}
