import { PalyraError } from '@palyra/kernel';
import { type Caller, callerIn } from './caller.ts';
import { tellOtherTabs } from './change.ts';
import { type Health, askHealth } from './health.ts';
import { type SessionKey, findKey, keepKey, makeKey } from './key.ts';
import { aheadMsIn, fetchWith, ownRequest } from './proof.ts';

/** Whoever is there, and what was asked for them on the way in. */
export interface Known {
  readonly caller: Caller;
  readonly health: Promise<Health | undefined>;
}

export type Entered =
  | (Known & { readonly is: 'known' })
  /** There is a session, and a link that would open another one in its place. */
  | (Known & { readonly is: 'asked'; readonly link: string })
  | { readonly is: 'stranger'; readonly trouble: string | undefined };

/**
 * Asks whether there is a session, or opens one with the link that led here. INVARIANT: a link alone
 * replaces no session; anybody can send a browser here with one of theirs. Says when the question is
 * on its way, if it comes to that.
 */
export async function enter(onAsked: () => void): Promise<Entered> {
  // First of all: what stands in the address bar is seen, kept and shared.
  const link = takeLink();
  try {
    const known = await ask(onAsked);
    if (known !== undefined && link !== undefined) return { is: 'asked', ...known, link };
    if (known !== undefined) return { is: 'known', ...known };
    if (link === undefined) return { is: 'stranger', trouble: await ended() };
    const opened = await open(link);
    return opened === undefined
      ? { is: 'stranger', trouble: USED }
      : { is: 'known', caller: opened.caller, health: askHealth(opened.key) };
  } catch (reason) {
    return { is: 'stranger', trouble: troubleOf(reason) };
  }
}

/** Contract: in the place of the session before, if there was one; `undefined` when the link is of no use. */
export async function openLink(link: string): Promise<Caller | undefined> {
  return (await open(link))?.caller;
}

interface Opened {
  readonly caller: Caller;
  readonly key: SessionKey;
}

async function open(link: string): Promise<Opened | undefined> {
  // Before the link is used up: whoever keeps no key gets nothing from a session.
  await findKey();
  const made = await makeKey();
  const body = JSON.stringify({ link, publicKey: made.publicKey });
  const answer = await fetch('/console/session', { method: 'POST', body, redirect: 'error' });
  if (!answer.ok) return undefined;
  const key = { ...made, aheadMs: aheadMsIn(answer) ?? 0 };
  await keepKey(key);
  tellOtherTabs('opened');
  return { key, caller: await callerIn(answer) };
}

export const USED = 'This link was used already, or its minute is over.';
export const ENDED = 'The session has ended.';

function takeLink(): string | undefined {
  const { hash, pathname, search } = location;
  if (!hash.startsWith('#link=')) return undefined;
  history.replaceState(history.state, '', `${pathname}${search}`);
  return hash.slice('#link='.length);
}

async function ask(onAsked: () => void): Promise<Known | undefined> {
  const key = await findKey();
  if (key === undefined) return undefined;
  // Before the other, so that it is on its way, too, when the console begins with its long turn.
  const health = askHealth(key);
  const answer = await fetchWith(key, ownRequest('/console/session'), onAsked);
  return answer.ok ? { health, caller: await callerIn(answer) } : undefined;
}

/** Whoever never came in need not hear that anything has ended. */
async function ended(): Promise<string | undefined> {
  return (await findKey()) === undefined ? undefined : ENDED;
}

export function troubleOf(reason: unknown): string {
  // What `fetch` rejects with when nobody is there.
  if (reason instanceof TypeError) return 'The gateway does not answer.';
  return `The console cannot open here: ${PalyraError.from(reason).message}.`;
}
