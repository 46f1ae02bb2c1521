import { PalyraError, type Clock } from '@palyra/kernel';
import type { Gateway } from '@palyra/gateway';
import { type Proof, callerOf } from '../auth/caller-of.ts';
import { csrfOf } from '../auth/csrf.ts';
import type { Link } from '../auth/link.ts';
import { proofOf } from '../auth/proof-of.ts';
import { ENDED_COOKIE, sessionCookie, sessionSecretIn } from '../auth/session-cookie.ts';
import { unproven } from '../auth/context.ts';
import type { NodeRequest, NodeResponse } from '../connect/patience.ts';
import { readText, writeJson } from './small-messages.ts';
import { requireOrigin, requireSameSite } from './site.ts';

export interface SessionSources {
  readonly identity: Gateway['identity'];
  readonly clock: Clock;
}

export interface BrowserVisit {
  readonly link: Extract<Link, { at: 'carried' | 'console' }>;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
}

/** `/console/session`: opens one with the secret of a link, tells of it, ends it. */
export async function answerSession(visit: BrowserVisit, sources: SessionSources): Promise<void> {
  const { method = '' } = visit.request;
  const act = ACTS.get(method);
  if (act === undefined) throw unproven();
  await act(visit, sources);
}

type Act = (visit: BrowserVisit, sources: SessionSources) => Promise<void>;

const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['POST', openSession],
  ['GET', tellSession],
  ['DELETE', endSession],
]);

const LINK_PATTERN = /^[A-Za-z0-9_-]{20,128}$/;

async function openSession(visit: BrowserVisit, sources: SessionSources): Promise<void> {
  requireOrigin(visit.request.headers);
  const secretOfLink = (await readText(visit.request)).trim();
  if (!LINK_PATTERN.test(secretOfLink)) throw badLink();
  const { identity } = sources;
  const { secret, session } = await identity.console.open(secretOfLink);
  try {
    await tell(visit, secret, sources);
  } catch (reason) {
    // The link is used up, and nobody may go on with what came of it.
    const { caller } = await identity.access.bySession(secret);
    await identity.console.close(session, caller);
    throw reason;
  }
}

async function tellSession(visit: BrowserVisit, sources: SessionSources) {
  const { headers } = visit.request;
  requireSameSite(headers);
  const secret = sessionSecretIn(headers.cookie);
  if (secret === undefined) throw unproven();
  await tell(visit, secret, sources);
}

async function endSession({ link, request, response }: BrowserVisit, sources: SessionSources) {
  const proof = proofOf(link, request.headers);
  if (proof === undefined) throw unproven();
  const { caller, session } = await callerOf(proof, sourcesOf(sources));
  if (session === undefined) throw unproven();
  await sources.identity.console.close(session, caller);
  response.setHeader('set-cookie', ENDED_COOKIE);
  writeJson(response, {});
}

async function tell(
  { link, response }: BrowserVisit,
  secret: string,
  sources: SessionSources,
): Promise<void> {
  const { caller, session } = await callerOf(proofFor(link, secret), sourcesOf(sources));
  const expiresAt = session?.expiresAt ?? '';
  const leftMs = Date.parse(expiresAt) - sources.clock.now().getTime();
  response.setHeader('set-cookie', sessionCookie(secret, Math.max(0, Math.floor(leftMs / 1000))));
  writeJson(response, { csrf: csrfOf(secret), principal: caller.principal, expiresAt });
}

function proofFor(link: BrowserVisit['link'], secret: string): Proof {
  if (link.at === 'console') return { by: 'session', secret };
  return { by: 'session', secret, certificate: link.proof.certificate };
}

function sourcesOf({ identity, clock }: SessionSources) {
  return { access: identity.access, clock };
}

function badLink(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'the link is not valid any more', {
    help: 'open the console with `palyra console`',
  });
}
