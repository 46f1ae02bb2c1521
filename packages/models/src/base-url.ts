import { rangeOfAddress } from '@palyra/kernel';
import { isIP } from 'node:net';

export const MAX_URL_LENGTH = 2048;

/** Contract: `undefined` unless it is an address that paths can be added to and that hides nothing. */
export function parseBaseUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isWeb && isBare ? url : undefined;
}

/** Contract: the path is relative and may have a query. */
export function under(baseUrl: URL, path: string): URL {
  return new URL(`${baseUrl.href.replace(/\/+$/, '')}/${path}`);
}

/** Whether what goes there stays on this machine, so that it needs no encryption. */
export function isLoopback({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (isIP(host) !== 0 && isLoopbackAddress(host));
}

/** Whether it may be spoken to at all, by what `models.plain_text` says. */
export function isSafeEnough(url: URL, plainText: 'loopback' | 'anywhere'): boolean {
  return url.protocol !== 'http:' || plainText === 'anywhere' || isLoopback(url);
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && rangeOfAddress(address) === 'loopback';
}
