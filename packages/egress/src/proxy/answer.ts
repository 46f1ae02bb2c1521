import type { Duplex } from 'node:stream';
import { REFUSALS, type Refusal } from '../refusal.ts';
import { SOCKS_REPLY, socksReply } from '../reading/socks5.ts';

export const ESTABLISHED = Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n');

/** How whoever asked is told, in the protocol that they speak at that moment. */
export type Speech = 'http' | 'socks5' | 'silence';

/** How long the other side may take to read what was said last. */
const LINGER_MS = 1_000;

/** Says why, and ends. */
export async function refuseAloud(stream: Duplex, speech: Speech, reason: Refusal): Promise<void> {
  if (speech === 'silence') return;
  await endWith(stream, speech === 'http' ? httpRefusal(reason) : socksReply(socksCode(reason)));
}

/**
 * Says the last word and waits until the other side has hung up. What still comes in is thrown
 * away: to close with bytes unread would take back what was just said.
 */
export async function endWith(stream: Duplex, last: Buffer): Promise<void> {
  if (stream.destroyed || !stream.writable) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('end', resolve).once('close', resolve);
  stream.removeAllListeners('data').end(last, () => setTimeout(resolve, LINGER_MS).unref());
  if (stream.readableEnded) stream.once('finish', resolve);
  else stream.resume();
  await promise;
}

function httpRefusal(reason: Refusal): Buffer {
  const text = `palyra: ${REFUSALS[reason]} (${reason})\n`;
  return Buffer.from(
    `HTTP/1.1 ${statusOf(reason)}\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function statusOf(reason: Refusal): string {
  if (BAD_REQUESTS.has(reason)) return '400 Bad Request';
  if (reason === 'head-too-long') return '431 Request Header Fields Too Large';
  if (reason === 'too-slow' || reason === 'idle') return '408 Request Timeout';
  return BAD_GATEWAYS.has(reason) ? '502 Bad Gateway' : '403 Forbidden';
}

function socksCode(reason: Refusal): number {
  if (reason === 'protocol-unknown') return SOCKS_REPLY.noSuchCommand;
  return BAD_GATEWAYS.has(reason) ? SOCKS_REPLY.unreachable : SOCKS_REPLY.notAllowed;
}

const BAD_REQUESTS: ReadonlySet<Refusal> = new Set([
  'host-malformed',
  'protocol-unknown',
  'head-malformed',
  'body-malformed',
  'host-header-differs',
]);

const BAD_GATEWAYS: ReadonlySet<Refusal> = new Set([
  'host-unresolved',
  'upstream-unreachable',
  'upstream-untrusted',
  'upstream-malformed',
  'secret-echoed',
  'fault',
]);
