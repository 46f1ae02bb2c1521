import type { IncomingHttpHeaders } from 'node:http';
import { PalyraError } from '@palyra/kernel';
import type { Proof } from './caller-of.ts';
import type { Link } from './link.ts';
import { cookiesIn, isCookieOf } from './session-cookie.ts';

/** Carries the secret of a session, which only the page that opened it can know. */
const SESSION_HEADER = 'x-palyra-csrf';
const SECRET_PATTERN = /^[A-Za-z0-9_-]{20,128}$/;

const BEARER_PATTERN = /^Bearer (?<text>pal_[A-Za-z0-9_-]{1,128})$/i;

/**
 * What a request brings along. Contract: `undefined` for a stranger; throws for anything that is
 * presented and cannot count, which is never taken for nothing.
 */
export function proofOf(link: Link, headers: IncomingHttpHeaders): Proof | undefined {
  switch (link.at) {
    case 'pairing':
      refuseBrowser(headers);
      if (headers.authorization !== undefined) throw notAlone();
      return undefined;
    case 'device': {
      refuseBrowser(headers);
      const text = bearerIn(headers);
      const { certificate } = link.proof;
      return text === undefined ? link.proof : { by: 'token', text, certificate };
    }
    case 'carried': {
      const found = browserProof(headers);
      return found && { ...found, certificate: link.proof.certificate };
    }
    case 'console':
      return browserProof(headers);
  }
}

/** Contract: Host and a present Origin were looked at before. */
function browserProof(
  headers: IncomingHttpHeaders,
): Exclude<Proof, { by: 'certificate' }> | undefined {
  const text = bearerIn(headers);
  if (text !== undefined) return { by: 'token', text };
  const secret = sessionSecretIn(headers);
  if (secret === undefined) return undefined;
  if (headers.origin === undefined) throw refused('a call of a session names its origin');
  return { by: 'session', secret };
}

/**
 * Both halves of a session: the header that the page sends, and the cookie that fits it. Contract:
 * `undefined` when there is neither; throws for one without the other. Host was looked at before.
 */
export function sessionSecretIn(headers: IncomingHttpHeaders): string | undefined {
  const secret = headers[SESSION_HEADER];
  const cookies = cookiesIn(headers.host ?? '', headers.cookie);
  if (secret === undefined) {
    if (cookies.length === 0) return undefined;
    throw refused(`a call with the cookie proves itself with \`${SESSION_HEADER}\``);
  }
  if (typeof secret === 'string' && SECRET_PATTERN.test(secret) && isCookieOf(secret, cookies)) {
    return secret;
  }
  throw new PalyraError('UNAUTHENTICATED', 'the session does not come with its own cookie', {
    help: 'open the console again with `palyra console`',
  });
}

function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined;
  const text = BEARER_PATTERN.exec(authorization)?.groups?.['text'];
  if (text !== undefined) return text;
  throw new PalyraError('UNAUTHENTICATED', 'the authorization is no API token', {
    help: 'send `authorization: Bearer pal_…`',
  });
}

/** A page has no business on a connection that speaks for a device by its certificate alone. */
function refuseBrowser({ origin, cookie }: IncomingHttpHeaders): void {
  if (origin === undefined && cookie === undefined) return;
  throw refused('browsers use the console port');
}

function notAlone(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'a token needs a certificate beside it on this port', {
    help: 'pair this device with `palyra pair HOST`, or use the token on the console port',
  });
}

function refused(message: string): PalyraError {
  return new PalyraError('ORIGIN_REFUSED', message);
}
