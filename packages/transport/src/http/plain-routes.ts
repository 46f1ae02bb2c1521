import type { LoopDelayMeter } from '../loop-delay.ts';
import { SECURITY_HEADERS } from '../console-port/security-headers.ts';
import type { NodeResponse } from '../connect/patience.ts';
import type { Readiness } from '../readiness.ts';

export interface PlainSources {
  readonly readiness: Readiness;
  readonly loopDelay: LoopDelayMeter;
}

const OK = 'ok';
const OK_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'content-length': OK.length };
const OK_HEADERS_OF_CONSOLE = { ...SECURITY_HEADERS, ...OK_HEADERS };

/** `/healthz`: that somebody is there, and nothing else. */
export function answerHealth(response: NodeResponse): void {
  response.writeHead(200, OK_HEADERS);
  response.end(OK);
}

/** The same for a browser. Contract: no header is set before, which makes it a third faster. */
export function answerHealthOfConsole(response: NodeResponse): void {
  response.writeHead(200, OK_HEADERS_OF_CONSOLE);
  response.end(OK);
}

/** `/readyz` for whoever has proven nothing: yes or no. */
export function answerReadyBriefly(response: NodeResponse, { readiness }: PlainSources): void {
  if (readiness.phase === 'ready') return answerHealth(response);
  response.writeHead(503, { 'content-length': 0 });
  response.end();
}

/** `/readyz` for a caller who is known. */
export function answerReady(response: NodeResponse, sources: PlainSources): void {
  const { readiness, loopDelay } = sources;
  const { p50Ms, p99Ms } = loopDelay.read();
  const { phase, fault } = readiness;
  // Without a fault JSON leaves its name out as well.
  const told = { readiness: phase, code: fault, eventLoopDelayMs: { p50: p50Ms, p99: p99Ms } };
  const body = JSON.stringify(told);
  response.writeHead(phase === 'ready' ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
