import type { IncomingMessage, ServerResponse } from 'node:http';
import { PalyraError } from '@palyra/kernel';
import type { LoopDelayMeter } from '../loop-delay.ts';
import type { Readiness } from '../readiness.ts';
import { pathOf } from '../url-path.ts';

export interface PlainSources {
  readonly readiness: Readiness;
  readonly loopDelay: LoopDelayMeter;
}

export type PlainHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Plain HTTP, for supervisors and people with curl. */
export function createPlainRoutes(sources: PlainSources): PlainHandler {
  const routes: ReadonlyMap<string, () => Answer> = new Map([
    ['/healthz', () => ({ status: 200, type: TEXT_TYPE, body: 'ok' })],
    ['/readyz', () => readyz(sources)],
  ]);
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const route = isRead ? routes.get(pathOf(request.url)) : undefined;
    const { status, type, body } = route?.() ?? NO_SUCH_PATH;
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
}

function readyz({ readiness, loopDelay }: PlainSources): Answer {
  const { p50Ms, p99Ms } = loopDelay.read();
  const { phase, fault } = readiness;
  // Without a fault JSON leaves its name out as well.
  const told = { readiness: phase, code: fault, eventLoopDelayMs: { p50: p50Ms, p99: p99Ms } };
  const status = phase === 'ready' ? 200 : 503;
  return { status, type: JSON_TYPE, body: JSON.stringify(told) };
}

const NO_SUCH_PATH = notFound();

function notFound(): Answer {
  const { code, message, help } = new PalyraError('NOT_FOUND', 'there is no such path', {
    help: 'plain routes are `/healthz` and `/readyz`; calls are made with POST',
  });
  return { status: 404, type: JSON_TYPE, body: JSON.stringify({ error: { code, message, help } }) };
}
