import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that speaks chat completions, as far as a daemon needs to be told. */
export interface ModelProvider extends AsyncDisposable {
  /** For `models.base_url`. */
  readonly url: string;
  /** Of each request for an answer, in order. */
  readonly asked: readonly IncomingHttpHeaders[];
}

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };

/** Says this to whoever asks; `undefined` turns everybody away. */
export async function modelProvider(word: string | undefined): Promise<ModelProvider> {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      return void response.end('{"object":"list","data":[{"id":"test-model"},{"id":"other"}]}');
    }
    asked.push(request.headers);
    request.resume().once('end', () => {
      if (word === undefined) {
        response.writeHead(401, { 'content-type': 'application/json' });
        return void response.end('{"error":{"message":"no such key"}}');
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer(word));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(word: string): string {
  const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
  const chunks = [
    { ...CHUNK, choices: [{ index: 0, delta: { content: word }, finish_reason: null }] },
    { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...CHUNK, choices: [], usage },
  ];
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
