import type { IncomingHttpHeaders } from 'node:http';
import { PalyraError } from '@palyra/kernel';
import type { Proof } from './caller-of.ts';
import { isCsrf } from './csrf.ts';
import type { Link } from './link.ts';
import { sessionSecretIn } from './session-cookie.ts';

export const CSRF_HEADER = 'x-palyra-csrf';

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
  const secret = sessionSecretIn(headers.cookie);
  if (secret === undefined) return undefined;
  if (headers.origin === undefined) throw refused('a call with the cookie names its origin');
  const csrf = headers[CSRF_HEADER];
  if (typeof csrf === 'string' && isCsrf(csrf, secret)) return { by: 'session', secret };
  throw refused(`a call with the cookie proves itself with \`${CSRF_HEADER}\``);
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
