import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { testGateway, testTransportParts } from '@palyra/testkit';
import { openDoors } from '@palyra/transport';
import { corpusOf } from './corpus.ts';
import { mutate } from './mutation.ts';
import type { Target } from './target.ts';

/** Over a real socket, so fewer of them. */
const INPUTS = 30_000;
const MOST_LENGTH = 4_000;
const HEADERS = ['authorization', 'cookie', 'origin', 'x-palyra-proof'] as const;
const REFUSALS = new Set([400, 401, 403]);

export interface HeaderTarget extends AsyncDisposable {
  readonly target: Target;
}

/** What proves a caller on the console port. Nobody there has anything that would count. */
export async function headerTarget(): Promise<HeaderTarget> {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await testGateway());
  const doors = stack.use(await openDoors(testTransportParts(test.gateway)));
  const corpus = corpusOf('headers').map((input) => Buffer.from(input).toString('utf8'));
  const pick = (random: () => number) => corpus[Math.floor(random() * corpus.length)] ?? '';
  const release = stack.move();
  return {
    target: {
      name: 'headers of a caller',
      inputs: INPUTS,
      next: (random) => {
        const headers: Record<string, string> = {};
        for (const name of HEADERS) {
          if (random() < 0.6) headers[name] = sendable(mutate(pick(random), random));
        }
        const outcome = () => mustRefuse(doors.console ?? '', headers);
        return { input: JSON.stringify(headers), outcome };
      },
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/** Other characters do not leave a client of HTTP; the server's own parser is not ours to try. */
function sendable(text: string): string {
  return text
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .trim()
    .slice(0, MOST_LENGTH);
}

/** A connection for each: one that was refused may be closed before the next question is asked. */
async function mustRefuse(
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const asking = request(`${origin}/palyra.v1.HealthService/GetHealth`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve).once('error', reject);
  });
  asking.end('{}');
  const answer = await answered;
  answer.resume();
  await once(answer, 'end');
  const status = answer.statusCode ?? 0;
  if (!REFUSALS.has(status)) throw new TypeError(`answered with ${status}`);
}
