import { PalyraError } from '@palyra/kernel';
import type { CreateConsoleLinkResponse } from '@palyra/protocol';

const ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * The link that opens the console once. The secret is in the fragment, which no browser sends on.
 * Contract: throws for an answer that would lead the browser anywhere but to this machine.
 */
export function consoleLink({ secret }: CreateConsoleLinkResponse, origin: string): string {
  if (ORIGIN.test(origin) && SECRET.test(secret)) return `${origin}/#link=${secret}`;
  throw new PalyraError('GATEWAY_UNTRUSTED', 'the gateway answered with a link that is none');
}
