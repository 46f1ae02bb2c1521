import type { Duplex } from 'node:stream';
import { EchoGuard } from '../echo-guard.ts';
import { bodyFilter } from '../reading/http-body.ts';
import { headBytes, HeadReader, withoutHopByHop } from '../reading/http-head.ts';
import { readFrom } from '../reading/incremental.ts';
import { Refused } from '../refusal.ts';
import { endWith } from './answer.ts';
import type { Ear } from './ear.ts';
import type { Passage } from './passage.ts';
import { relay } from './relay.ts';
import type { ReadyRequest } from './request.ts';

export interface Exchange {
  readonly client: Duplex;
  readonly upstream: Duplex;
  readonly request: ReadyRequest;
  readonly ear: Ear;
}

/** A host sends few words before its answer; one that goes on and on is none of ours. */
const MAX_INTERIM_ANSWERS = 16;

/** One request up, one answer down, and the end. */
export async function exchange(order: Exchange, passage: Passage): Promise<void> {
  const { request, upstream } = order;
  passage.countUp(request.head.length);
  upstream.write(request.head);
  const answered = answer(order, passage);
  // A host may answer before it has all: then nothing more goes up, and the answer still comes down.
  await Promise.race([answered, uploadUntil(answered, order, passage)]);
}

async function uploadUntil(
  answered: Promise<void>,
  order: Exchange,
  passage: Passage,
): Promise<void> {
  try {
    await upload(order, passage);
  } catch (error) {
    if (order.ear.speech !== 'silence' || !(error instanceof Refused)) throw error;
    passage.draft.end(error.reason);
  }
  return answered;
}

/** Contract: throws Refused for what is not a body, and for one that ends before its end. */
async function upload({ client, upstream, request, ear }: Exchange, passage: Passage) {
  const body = bodyFilter(request.framing);
  if (!body.isDone) {
    const pass = (chunk: Buffer) => {
      const pieces = body.pass(chunk);
      passage.countUp(pieces.reduce((sum, { length }) => sum + length, 0));
      return pieces;
    };
    await relay(client, upstream, { pass, isDone: () => body.isDone });
    // One who has the answer already need not go on asking.
    if (!body.isDone && ear.speech !== 'silence') throw new Refused('body-malformed');
  }
  // To notice when the other side leaves. A second request is not read: its first bytes stop it.
  client.on('data', () => client.pause());
  client.resume();
}

async function answer(order: Exchange, passage: Passage): Promise<void> {
  const { client, upstream, request, ear } = order;
  const guard = new EchoGuard(request.secretValues);
  const pass = (chunk: Buffer) => {
    passage.countDown(chunk.length);
    return [guard.pass(chunk)];
  };
  const head = pass(await answerHead(order, passage));
  // From here on our own words would be taken for the host's.
  ear.speech = 'silence';
  for (const piece of head) client.write(piece);
  if ((await relay(upstream, client, { pass })) === 'ended') await endWith(client, guard.flush());
}

/** The head of the answer; what a host says before it is handed on at once. */
async function answerHead({ client, upstream }: Exchange, passage: Passage): Promise<Buffer> {
  const { ceilings } = passage.running.sandbox;
  const bounds = { deadlineMs: ceilings.idleMs, ifLate: 'idle' } as const;
  for (let count = 0; count < MAX_INTERIM_ANSWERS; count += 1) {
    const reader = new HeadReader(ceilings, 'answer');
    const head = await readFrom(upstream, reader, { ...bounds, ifEnded: 'upstream-malformed' });
    const [version, status, reason] = head.start;
    const start = `${version} ${status} ${reason}`;
    // 101 would turn the connection into one that nobody reads.
    if (status === '101') throw new Refused('upstream-malformed');
    if (!status.startsWith('1')) {
      const close = { name: 'connection', value: 'close' };
      return headBytes(start, [...withoutHopByHop(head.fields), close]);
    }
    // Only the number: a field of it could repeat what must not come back.
    client.write(headBytes(`${version} ${status} Interim`, []));
  }
  throw new Refused('upstream-malformed');
}
