import { PalyraError } from '@palyra/kernel';
import type { NodeRequest, NodeResponse } from '../connect/patience.ts';

/** Nothing that the console's own routes take is longer. */
const MOST_BYTES = 1_024;

export async function readText(request: NodeRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> = request;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MOST_BYTES) {
      throw new PalyraError('INVALID_INPUT', `the request is longer than ${MOST_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function writeJson(response: NodeResponse, value: object): void {
  writeText(response, 'application/json; charset=utf-8', JSON.stringify(value));
}

export function writeText(response: NodeResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
