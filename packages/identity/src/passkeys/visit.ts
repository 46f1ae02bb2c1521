import { PalyraError } from '@palyra/kernel';
import type { ConsoleSession } from '@palyra/protocol';
import type { Caller } from '../caller.ts';

/** A person in the console, where a browser can ask an authenticator. */
export interface ConsoleVisit {
  readonly caller: Caller;
  readonly session: ConsoleSession;
  /** Of the page, as the transport has checked it: `http://localhost:7142`. */
  readonly origin: string;
}

/** The only name that a passkey can be for: browsers take no address, and on loopback no other name. */
export const RELYING_PARTY = 'localhost';
const ORIGIN_PATTERN = /^http:\/\/localhost(?::[1-9]\d{0,4})?$/;
const FRESH_MS = 10 * 60_000;
const SLACK_MS = 60_000;

/** Contract: throws INVALID_INPUT where no browser would find a passkey again. */
export function demandPasskeyOrigin({ origin }: ConsoleVisit): void {
  if (ORIGIN_PATTERN.test(origin)) return;
  throw new PalyraError('INVALID_INPUT', 'passkeys work only where the console is `localhost`', {
    help: 'set `transport.console` to `localhost:7142` and open the console again',
  });
}

/**
 * Where no passkey is there to vouch for something, the device does: its key has just signed for the
 * link that opened this session. A page that was left open is not enough.
 * Contract: throws PERMISSION_DENIED for a session that is older than ten minutes.
 */
export function demandFreshSession({ session }: ConsoleVisit, what: string, now: Date): void {
  const ageMs = now.getTime() - Date.parse(session.openedAt);
  if (ageMs >= -SLACK_MS && ageMs <= FRESH_MS) return;
  throw new PalyraError('PERMISSION_DENIED', `${what} wants a console just opened`, {
    help: 'open it anew with `palyra console`, and do it within ten minutes',
  });
}
