import type { Duplex } from 'node:stream';
import type { Head } from '../reading/http-head.ts';
import { readAbsoluteTarget } from '../reading/request-target.ts';
import { Refused } from '../refusal.ts';
import type { Ear } from './ear.ts';
import { exchange } from './exchange.ts';
import type { Passage } from './passage.ts';
import { prepareRequest } from './request.ts';

/** HTTP in the clear, asked for by its whole address: one request, one answer. */
export async function plainHttp(
  { client, ear }: { readonly client: Duplex; readonly ear: Ear },
  head: Head,
  passage: Passage,
): Promise<void> {
  const target = readAbsoluteTarget(head.start[1]);
  if (target === undefined) {
    passage.draft.asked(head.start[1], 0);
    throw new Refused('head-malformed');
  }
  const allowed = passage.authorise(target.host, target.port);
  const order = { head, origin: target.origin, allowed, over: 'http' } as const;
  const request = await prepareRequest(order, passage);
  const upstream = await passage.dial(await passage.resolve(allowed), allowed.port);
  await exchange({ client, upstream, request, ear }, passage);
}
