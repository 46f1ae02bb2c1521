import type { Caller, Gateway } from '@palyra/gateway';
import type { ConsoleSession } from '@palyra/protocol';
import { callerFacts } from '../auth/caller-facts.ts';
import {
  type CallerSources,
  type HeldSession,
  callerOf,
  stillCallerOf,
} from '../auth/caller-of.ts';
import { unproven } from '../auth/context.ts';
import type { Link } from '../auth/link.ts';
import { proofOf, sessionProofIn } from '../auth/proof-of.ts';
import { endedCookie, sessionCookie } from '../auth/session-cookie.ts';
import type { NodeRequest, NodeResponse } from '../connect/patience.ts';
import { readOpening } from './opening.ts';
import { requireOrigin, requireSameSite } from './site.ts';
import { readText, writeJson } from './small-messages.ts';

export interface SessionSources {
  readonly desk: Gateway['identity']['console'];
  readonly callers: CallerSources;
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

/** INVARIANT: no answer holds a secret; that of the session is in the cookie, and nowhere else. */
async function openSession(visit: BrowserVisit, { desk, callers }: SessionSources): Promise<void> {
  requireOrigin(visit.request.headers);
  const { link, publicKey } = readOpening(await readText(visit.request));
  const { secret, session } = await desk.open(link, publicKey);
  try {
    const { caller } = await stillCallerOf(heldBy(visit.link, secret), callers);
    const leftMs = Date.parse(session.expiresAt) - callers.clock.now().getTime();
    const { host = '' } = visit.request.headers;
    const cookie = sessionCookie(host, secret, Math.max(0, Math.floor(leftMs / 1000)));
    visit.response.setHeader('set-cookie', cookie);
    tell(visit, { caller, session }, callers);
  } catch (reason) {
    // The link is used up, and nobody may go on with what came of it.
    await desk.close(session, (await callers.access.bySession(secret)).caller);
    throw reason;
  }
}

async function tellSession(visit: BrowserVisit, { callers }: SessionSources): Promise<void> {
  // Browsers name no origin when they only read.
  requireSameSite(visit.request.headers);
  const proof = sessionProofIn(visit.request);
  if (proof === undefined) throw unproven();
  const held = heldBy(visit.link, proof.secret);
  const { caller, session } = await callerOf({ ...proof, ...held }, callers);
  if (session === undefined) throw unproven();
  tell(visit, { caller, session }, callers);
}

async function endSession(visit: BrowserVisit, { desk, callers }: SessionSources): Promise<void> {
  const { link, request, response } = visit;
  const proof = proofOf(link, request);
  if (proof === undefined) throw unproven();
  const { caller, session } = await callerOf(proof, callers);
  if (session === undefined) throw unproven();
  await desk.close(session, caller);
  response.setHeader('set-cookie', endedCookie(request.headers.host ?? ''));
  writeJson(response, {});
}

interface Told {
  readonly caller: Caller;
  readonly session: ConsoleSession;
}

/** Who it is comes along: a page shows nothing before it knows. Enums are numbers here. */
function tell(
  { response }: BrowserVisit,
  { caller, session: { expiresAt } }: Told,
  { clock }: CallerSources,
): void {
  writeJson(response, { ...callerFacts(caller), expiresAt, serverTime: clock.now().toISOString() });
}

function heldBy(link: BrowserVisit['link'], secret: string): HeldSession {
  if (link.at === 'console') return { by: 'session', secret };
  return { by: 'session', secret, certificate: link.proof.certificate };
}
