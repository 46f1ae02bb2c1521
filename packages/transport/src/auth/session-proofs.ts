import { verify } from 'node:crypto';
import {
  CONSOLE_PROOF_WINDOW_MS,
  type Clock,
  type ConsoleCall,
  PalyraError,
  consoleProofText,
} from '@palyra/kernel';
import type { ConsoleSession } from '@palyra/protocol';
import { SeenNonces } from './seen-nonces.ts';
import { sessionKey } from './session-key.ts';

/** A call of a session, with what its page says to prove it. */
export interface SignedCall {
  readonly call: ConsoleCall;
  readonly signature: string;
}

/** Whether the page of a session made a call: signed by the session's key, a moment ago, once. */
export class SessionProofs {
  readonly #clock: Clock;
  readonly #seen = new SeenNonces();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Contract: once a request. Throws UNAUTHENTICATED, or RATE_LIMITED when there is no room. */
  admit(signed: SignedCall, session: ConsoleSession): void {
    const { timeMs, nonce } = signed.call;
    const nowMs = this.#clock.now().getTime();
    if (Math.abs(nowMs - timeMs) > CONSOLE_PROOF_WINDOW_MS) {
      throw refused('the proof of this call is too old, or of a time that is still to come');
    }
    if (!isSigned(signed, session.publicKey)) {
      throw refused('the call is not proven by the key of its session');
    }
    // After the signature: only what the page has signed takes up room, so nobody else can fill it.
    const untilMs = timeMs + CONSOLE_PROOF_WINDOW_MS;
    switch (this.#seen.take({ sessionId: session.sessionId, text: nonce, untilMs }, nowMs)) {
      case 'new':
        return;
      case 'used':
        throw refused('the proof of this call was used before');
      case 'full':
        throw tooMany();
    }
  }
}

function isSigned({ call, signature }: SignedCall, publicKey: Uint8Array): boolean {
  const key = sessionKey(publicKey);
  if (key === undefined) return false;
  const text = Buffer.from(consoleProofText(call));
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, bytes);
}

function refused(message: string): PalyraError {
  return new PalyraError('UNAUTHENTICATED', message, {
    help: 'open the console again with `palyra console`',
  });
}

function tooMany(): PalyraError {
  return new PalyraError('RATE_LIMITED', 'the console makes more calls than can be remembered', {
    help: 'wait a minute and try again',
  });
}
