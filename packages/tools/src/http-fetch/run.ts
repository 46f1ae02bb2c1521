import { type JsonObject, PalyraError } from '@palyra/kernel';
import type * as z from 'zod';
import { type WebAddress, readUrl } from '../canonical/url.ts';
import type { ToolOutput } from '../hands.ts';
import { settle } from '../settle.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import type { Answer } from './exchange.ts';
import type { FetchHands, WebConnection } from './hands.ts';
import { httpFetchArguments } from './manifest.ts';
import { hopOf } from './redirect.ts';
import { type Arrival, show } from './show.ts';

type FetchArguments = z.output<ReturnType<typeof httpFetchArguments>>;

/** One request, and what came back, for a model to read. Contract: never rejects. */
export async function runHttpFetch(
  args: JsonObject,
  hands: FetchHands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { timeoutMs } = hands.limits;
  const late = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, late]);
  return await settle(async () => {
    try {
      const query = readArguments(httpFetchArguments(), args);
      const shown = await show(await arrive(query, hands, either), hands, either);
      signal.throwIfAborted();
      return shown;
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new PalyraError('SANDBOX_TIMED_OUT', `there was no whole answer in ${timeoutMs} ms`, {
        cause: error,
        help: 'ask for less, or have `http.timeout_ms` raised',
      });
    }
  }, signal);
}

async function arrive(
  query: FetchArguments,
  { web, limits }: FetchHands,
  signal: AbortSignal,
): Promise<Arrival> {
  const address = addressOf(query.url);
  const { name } = address.host;
  const { port, scheme, path } = address;
  const host = name.includes(':') ? `[${name}]` : name;
  const request = `${query.method} ${path}`;
  // Loaded with the first fetch, and before the connection: on that somebody has to listen at once.
  const { exchange } = await import('./exchange.ts');
  const connection = await web.reach({ host, port, scheme, request }, signal);
  const answer = await through(connection, (stream) => exchange(query, stream, limits.maxBytes));
  return { address, method: query.method, answer, hop: hopOf(answer, address) };
}

async function through(
  connection: WebConnection,
  ask: (stream: WebConnection['stream']) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await ask(connection.stream);
    connection.end('fine');
    return answer;
  } catch (cause) {
    connection.end('malformed');
    throw new PalyraError('TOOL_FAILED', 'the host did not answer with a whole answer in HTTP', {
      cause,
      help: 'try again later, or look at another address',
    });
  }
}

/** Contract: canonical already, so this only takes it apart. */
function addressOf(url: string): WebAddress {
  const reading = readUrl(url);
  if (reading.kind === 'read') return reading.value;
  throw new PalyraError('TOOL_ARGUMENTS_INVALID', `\`url\` ${reading.reason}`, reading);
}
