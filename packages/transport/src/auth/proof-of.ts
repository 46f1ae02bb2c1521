import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_PROOF_HEADER, PalyraError, readConsoleProof } from '@palyra/kernel';
import type { NodeRequest } from '../connect/patience.ts';
import type { Proof, SessionProof, TokenProof } from './caller-of.ts';
import type { Link } from './link.ts';
import { cookiesIn } from './session-cookie.ts';

const BEARER_PATTERN = /^Bearer (?<text>pal_[A-Za-z0-9_-]{1,128})$/i;

/**
 * What a request brings along. Contract: `undefined` for a stranger; throws for anything that is
 * presented and cannot count, which is never taken for nothing.
 */
export function proofOf(link: Link, request: NodeRequest): Proof | undefined {
  const { headers } = request;
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
      const found = browserProof(request);
      return found && { ...found, certificate: link.proof.certificate };
    }
    case 'console':
      return browserProof(request);
  }
}

/** Contract: Host and a present Origin were looked at before. */
function browserProof(request: NodeRequest): TokenProof | SessionProof | undefined {
  const text = bearerIn(request.headers);
  if (text !== undefined) return { by: 'token', text };
  const proof = sessionProofIn(request);
  if (proof === undefined) return undefined;
  if (request.headers.origin === undefined) throw refused('a call of a session names its origin');
  return proof;
}

/**
 * Both halves of a session: the cookie, and what the page has signed for this very request. Contract:
 * `undefined` when there is neither; throws for one without the other. Host was looked at before, and
 * whether they hold is looked at afterwards.
 */
export function sessionProofIn(request: NodeRequest): SessionProof | undefined {
  const { host = '', cookie, [CONSOLE_PROOF_HEADER]: header } = request.headers;
  const cookies = cookiesIn(host, cookie);
  if (header === undefined) {
    if (cookies.length === 0) return undefined;
    throw refused(`a call with the cookie proves itself with \`${CONSOLE_PROOF_HEADER}\``);
  }
  const shown = typeof header === 'string' ? readConsoleProof(header) : undefined;
  const [secret] = cookies;
  // A second cookie was put there by somebody else on this host, and nobody can tell which is ours.
  if (shown === undefined || secret === undefined || cookies.length > 1) throw notTogether();
  const { signature, ...rest } = shown;
  const { method = '', url: path = '' } = request;
  return { by: 'session', secret, signed: { call: { ...rest, method, path, host }, signature } };
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

function notTogether(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'a session is one cookie and one proof together', {
    help: 'open the console again with `palyra console`',
  });
}

function refused(message: string): PalyraError {
  return new PalyraError('ORIGIN_REFUSED', message);
}
