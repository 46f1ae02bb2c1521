import { PalyraError } from '@palyra/kernel';
import { type CallerSources, callerOf } from '../auth/caller-of.ts';
import { unproven } from '../auth/context.ts';
import type { Link } from '../auth/link.ts';
import { proofOf } from '../auth/proof-of.ts';
import { refuse } from '../auth/refuse.ts';
import { report } from '../connect/guard.ts';
import type { NodeRequest, NodeResponse, Patience } from '../connect/patience.ts';
import type { CallHandler } from '../connect/request-handler.ts';
import type { TransportParts } from '../connect/routes.ts';
import { answerConsole } from '../console-port/console-routes.ts';
import { setSecurityHeaders } from '../console-port/security-headers.ts';
import { refuseForeign } from '../console-port/site.ts';
import { pathOf } from '../url-path.ts';
import {
  answerHealth,
  answerHealthOfConsole,
  answerReady,
  answerReadyBriefly,
} from './plain-routes.ts';
import type { Answer } from './servers.ts';

export interface DeskParts extends TransportParts {
  /** Contract: `undefined` for a connection that nobody has let in. */
  linkOf(request: NodeRequest): Link | undefined;
  readonly calls: CallHandler;
  readonly callers: CallerSources;
  readonly patience: Patience;
  readonly isOpenToStrangers: (path: string) => boolean;
}

interface Guest {
  readonly link: Link;
  readonly path: string;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
}

/** Where every request arrives: who may ask here at all, and which way it goes. */
export function createDesk(parts: DeskParts): Answer {
  return (request, response) => {
    const link = parts.linkOf(request);
    if (link === undefined) {
      response.destroy();
      return;
    }
    const guest = { link, request, response, path: pathOf(request.url) };
    receive(guest, parts).catch((reason: unknown) => turnAway(guest, parts, reason));
  };
}

function turnAway({ link, path, request, response }: Guest, { log }: DeskParts, reason: unknown) {
  report(log, path, reason);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (isOfBrowser(link)) setSecurityHeaders(response);
  refuse(request, response, reason);
}

async function receive(guest: Guest, parts: DeskParts): Promise<void> {
  const { link, path, request, response } = guest;
  const isHealth = path === '/healthz' && isRead(request);
  if (isOfBrowser(link)) {
    refuseForeign(link, request.headers);
    if (isHealth) return answerHealthOfConsole(response);
    setSecurityHeaders(response);
  }
  const turnedAway = link.at === 'device' ? link.turnedAway : undefined;
  // HTTP/2 has its own idle time for strangers.
  if ((link.at === 'pairing' || turnedAway !== undefined) && !('stream' in request)) {
    response.setHeader('connection', 'close');
  }
  if (turnedAway === 'crowded') throw crowded();
  if (isHealth) return answerHealth(response);

  const onHeardEnough = parts.patience.limit(request, response);
  if (path === '/readyz' && isRead(request)) return await answerReadiness(guest, parts);
  if (isOfBrowser(link)) {
    const { callers, site } = parts;
    const sources = { desk: parts.gateway.identity.console, callers, site };
    if (await answerConsole({ link, request, response }, path, sources)) return;
  }

  const proof = proofOf(link, request);
  if (proof === undefined) requireOpen(guest, parts);
  const stranger = 'stranger' in link ? link.stranger : undefined;
  await parts.calls({ path, request, response, onHeardEnough, proof, stranger });
}

function crowded(): PalyraError {
  return new PalyraError('RATE_LIMITED', 'too many connections of devices are open', {
    help: 'end what else speaks to the gateway from this device, or raise `transport.max_connections`',
  });
}

function isOfBrowser(link: Link): link is Extract<Link, { at: 'carried' | 'console' }> {
  return link.at === 'console' || link.at === 'carried';
}

function isRead({ method }: NodeRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A cookie alone proves nothing here: the page asks the API instead. */
async function answerReadiness({ link, request, response }: Guest, parts: DeskParts) {
  const isProven = link.at === 'device' || request.headers.authorization !== undefined;
  const proof = isProven ? proofOf(link, request) : undefined;
  if (proof === undefined) return answerReadyBriefly(response, parts);
  await callerOf(proof, parts.callers);
  answerReady(response, parts);
}

/** INVARIANT: whatever else a stranger asks for is refused in the same words, existing or not. */
function requireOpen({ link, path }: Guest, { isOpenToStrangers }: DeskParts): void {
  if (link.at !== 'pairing' || !isOpenToStrangers(path)) throw unproven();
}
