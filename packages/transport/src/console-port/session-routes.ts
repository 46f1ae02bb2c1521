import { PalyraError, type Clock } from '@palyra/kernel';
import type { Gateway } from '@palyra/gateway';
import { type Proof, callerOf } from '../auth/caller-of.ts';
import type { Link } from '../auth/link.ts';
import { proofOf, sessionSecretIn } from '../auth/proof-of.ts';
import { endedCookie, sessionCookie } from '../auth/session-cookie.ts';
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
  const { access, console: desk } = sources.identity;
  const { secret, session } = await desk.open(secretOfLink);
  try {
    const told = await know(visit, secret, sources);
    const leftMs = Date.parse(told.expiresAt) - sources.clock.now().getTime();
    const { host = '' } = visit.request.headers;
    const cookie = sessionCookie(host, secret, Math.max(0, Math.floor(leftMs / 1000)));
    visit.response.setHeader('set-cookie', cookie);
    // INVARIANT: the only answer that holds it; the page keeps it, and the cookie does not give it away.
    writeJson(visit.response, { secret, ...told });
  } catch (reason) {
    // The link is used up, and nobody may go on with what came of it.
    await desk.close(session, (await access.bySession(secret)).caller);
    throw reason;
  }
}

async function tellSession(visit: BrowserVisit, sources: SessionSources) {
  const { headers } = visit.request;
  requireSameSite(headers);
  const secret = sessionSecretIn(headers);
  if (secret === undefined) throw unproven();
  writeJson(visit.response, await know(visit, secret, sources));
}

async function endSession({ link, request, response }: BrowserVisit, sources: SessionSources) {
  const proof = proofOf(link, request.headers);
  if (proof === undefined) throw unproven();
  const { caller, session } = await callerOf(proof, sourcesOf(sources));
  if (session === undefined) throw unproven();
  const { console: desk } = sources.identity;
  await desk.close(session, caller);
  response.setHeader('set-cookie', endedCookie(request.headers.host ?? ''));
  writeJson(response, {});
}

interface Told {
  readonly principal: string;
  readonly expiresAt: string;
}

async function know(
  { link }: BrowserVisit,
  secret: string,
  sources: SessionSources,
): Promise<Told> {
  const { caller, session } = await callerOf(proofFor(link, secret), sourcesOf(sources));
  return { principal: caller.principal, expiresAt: session?.expiresAt ?? '' };
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
