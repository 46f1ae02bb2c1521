import type { IncomingHttpHeaders } from 'node:http';
import { PalyraError } from '@palyra/kernel';
import type { Link } from '../auth/link.ts';

/** A device that carries a browser listens on a port of its own choice. */
const CARRIED_HOST = /^localhost:[1-9]\d{0,4}$/;

/**
 * Contract: throws ORIGIN_REFUSED when the browser asked for another host, as a page does whose name
 * was made to lead here, or when another origin asks.
 */
export function refuseForeign(
  link: Extract<Link, { at: 'carried' | 'console' }>,
  { host = '', origin }: IncomingHttpHeaders,
): void {
  const isOurs = link.at === 'console' ? host === link.host : CARRIED_HOST.test(host);
  if (!isOurs) throw refused('the console is not known under that name');
  if (origin !== undefined && origin !== `http://${host}`) {
    throw refused('another origin may not ask');
  }
}

/** Contract: for what changes something without a session. */
export function requireOrigin({ origin }: IncomingHttpHeaders): void {
  if (origin === undefined) throw refused('a request of a page names its origin');
}

/** A page of ours, or somebody who typed the address; browsers tell, and others have no cookie. */
export function requireSameSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw refused('another origin may not ask');
}

function refused(message: string): PalyraError {
  return new PalyraError('ORIGIN_REFUSED', message);
}
