import {
  CONSOLE_NONCE_BYTES,
  CONSOLE_PROOF_HEADER,
  type ConsoleCall,
  consoleProofText,
  systemClock,
  writeConsoleProof,
} from '@palyra/kernel';
import { ALGORITHM, type SessionKey, base64url, findKey, keepKey } from './key.ts';

/** Between clocks that agree. The gateway allows a minute, and tells its time in whole seconds. */
const SLACK_MS = 5_000;

const clock = systemClock();

/** The header for one call, which counts once. */
export async function proofFor(
  { privateKey, aheadMs }: SessionKey,
  call: Pick<ConsoleCall, 'method' | 'path' | 'host'>,
): Promise<string> {
  const timeMs = clock.now().getTime() + aheadMs;
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(CONSOLE_NONCE_BYTES)));
  const text = new TextEncoder().encode(consoleProofText({ ...call, timeMs, nonce }));
  const signature = base64url(await crypto.subtle.sign(ALGORITHM, privateKey, text));
  return writeConsoleProof({ timeMs, nonce, signature });
}

/**
 * `fetch` for what only the session may ask. Contract: of this origin alone. Without a key nothing
 * is proven, and the gateway refuses.
 */
export const provenFetch: typeof fetch = async (input, init) => {
  const key = await findKey();
  return await (key === undefined
    ? fetch(ownRequest(input, init))
    : fetchWith(key, ownRequest(input, init)));
};

/** The same for whoever has the key at hand, and wants to know when the question is on its way. */
export async function fetchWith(
  key: SessionKey,
  request: Request,
  onSent?: () => void,
): Promise<Response> {
  // Refused before any of it was heard, so nothing happens twice.
  const again = request.clone();
  const answer = await send(request, key, onSent);
  if (answer.status !== 401) return answer;
  const better = await betterKey(key, answer);
  return better === undefined ? answer : await send(again, better);
}

/** A proof is for the address that was asked for, so nobody may send it on to another. */
export function ownRequest(...[input, init]: Parameters<typeof fetch>): Request {
  return new Request(input, { ...init, credentials: 'same-origin', redirect: 'error' });
}

/** How much later it is at the gateway than here, as its answer tells. */
export function aheadMsIn(answer: Response): number | undefined {
  const told = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(told) ? undefined : told - clock.now().getTime();
}

async function send(request: Request, key: SessionKey, onSent?: () => void): Promise<Response> {
  const { origin, host, pathname, search } = new URL(request.url);
  if (origin !== location.origin) throw new TypeError('the session is for its own gateway alone');
  const call = { method: request.method, path: `${pathname}${search}`, host };
  request.headers.set(CONSOLE_PROOF_HEADER, await proofFor(key, call));
  const answer = fetch(request);
  onSent?.();
  return await answer;
}

/** Another tab may have opened a session meanwhile, or the clock here may have been set. */
async function betterKey(key: SessionKey, refusal: Response): Promise<SessionKey | undefined> {
  const found = await findKey();
  if (found === undefined || found.publicKey !== key.publicKey) return found;
  const aheadMs = aheadMsIn(refusal) ?? found.aheadMs;
  if (Math.abs(aheadMs - found.aheadMs) < SLACK_MS) return undefined;
  const better = { ...found, aheadMs };
  await keepKey(better);
  return better;
}
