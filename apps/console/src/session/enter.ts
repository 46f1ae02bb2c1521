import { PalyraError, isJsonObject } from '@palyra/kernel';
import { findKey, keepKey, makeKey } from './key.ts';
import { aheadMsIn, provenFetch } from './proof.ts';

export type Entered =
  | { readonly is: 'known'; readonly principal: string; readonly expiresAt: string }
  | { readonly is: 'stranger'; readonly trouble: string | undefined };

/** Opens a session with the link that led here, or asks whether there is one. */
export async function enter(): Promise<Entered> {
  // First of all: what stands in the address bar is seen, kept and shared.
  const link = takeLink();
  try {
    const known = (link === undefined ? undefined : await open(link)) ?? (await ask());
    if (known !== undefined) return known;
    return { is: 'stranger', trouble: link === undefined ? await ended() : USED };
  } catch (reason) {
    return { is: 'stranger', trouble: troubleOf(reason) };
  }
}

const USED = 'This link was used already, or its minute is over.';
const ENDED = 'The session has ended.';

function takeLink(): string | undefined {
  const { hash, pathname, search } = location;
  if (!hash.startsWith('#link=')) return undefined;
  history.replaceState(history.state, '', `${pathname}${search}`);
  return hash.slice('#link='.length);
}

async function open(link: string): Promise<Entered | undefined> {
  // Before the link is used up: whoever keeps no key gets nothing from a session.
  await findKey();
  const key = await makeKey();
  const body = JSON.stringify({ link, publicKey: key.publicKey });
  const answer = await fetch('/console/session', { method: 'POST', body, redirect: 'error' });
  if (!answer.ok) return undefined;
  await keepKey({ ...key, aheadMs: aheadMsIn(answer) ?? 0 });
  return await told(answer);
}

async function ask(): Promise<Entered | undefined> {
  if ((await findKey()) === undefined) return undefined;
  const answer = await provenFetch('/console/session');
  return answer.ok ? await told(answer) : undefined;
}

/** Whoever never came in need not hear that anything has ended. */
async function ended(): Promise<string | undefined> {
  return (await findKey()) === undefined ? undefined : ENDED;
}

function troubleOf(reason: unknown): string {
  // What `fetch` rejects with when nobody is there.
  if (reason instanceof TypeError) return 'The gateway does not answer.';
  return `The console cannot open here: ${PalyraError.from(reason).message}.`;
}

async function told(answer: Response): Promise<Entered> {
  const value: unknown = await answer.json();
  const { principal, expiresAt } = isJsonObject(value) ? value : {};
  if (typeof principal === 'string' && typeof expiresAt === 'string') {
    return { is: 'known', principal, expiresAt };
  }
  throw new PalyraError(
    'UNEXPECTED',
    'the gateway tells of the session in words unknown to this page',
  );
}
