import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

/**
 * A model server that does not think: it speaks chat completions and answers at once. Asked for
 * something it calls a tool, and after its result it is done. `keep talking` makes it speak for a while.
 */
const [port = ''] = process.argv.slice(2);
const TOKENS = 40;
const BETWEEN_TOKENS_MS = 50;
const COMMAND = JSON.stringify({ command: 'true' });

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await bodyOf(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (/"role":"tool"[^{}]*\}\]/.test(asked)) return say(response, { content: 'done' }, 'stop');
  if (asked.includes('keep talking')) return speak(response, TOKENS);
  const call = { index: 0, id: 'call_0', type: 'function' };
  const tool_calls = [{ ...call, function: { name: 'process_run', arguments: COMMAND } }];
  return say(response, { tool_calls }, 'tool_calls');
}

function say(response: ServerResponse, delta: object, reason: string): void {
  response.write(chunk(delta, null));
  response.end(`${chunk({}, reason)}data: [DONE]\n\n`);
}

function speak(response: ServerResponse, left: number): void {
  if (left === 0 || response.destroyed) return say(response, { content: '.' }, 'stop');
  response.write(chunk({ content: 'word ' }, null));
  setTimeout(() => speak(response, left - 1), BETWEEN_TOKENS_MS);
}

function chunk(delta: object, reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'instant' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of request.setEncoding('utf8')) pieces.push(String(piece));
  return pieces.join('');
}
