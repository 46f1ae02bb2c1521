import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { hostText, readAuthority, readHost } from '../canonical-host.ts';
import type { Allowed } from '../decide.ts';
import type { Ear } from '../proxy/ear.ts';
import { exchange } from '../proxy/exchange.ts';
import type { Passage } from '../proxy/passage.ts';
import { prepareRequest } from '../proxy/request.ts';
import { type Head, HeadReader, valuesOf } from '../reading/http-head.ts';
import { isOriginTarget } from '../reading/request-target.ts';
import { Refused } from '../refusal.ts';
import { PROTOCOL, handshake, reachTls } from './reach-tls.ts';

export interface InterceptOrder {
  /** Its next bytes are a hello that names the host. */
  readonly socket: Socket;
  readonly allowed: Allowed;
  readonly addresses: readonly string[];
  readonly ear: Ear;
}

/** Ends TLS here, reads the one request inside, and sends it on in TLS of our own. */
export async function intercept(order: InterceptOrder, passage: Passage): Promise<void> {
  const { socket, allowed, ear } = order;
  const authority = await passage.running.authority();
  const client = await acceptTls(socket, await authority.contextFor(allowed.host), passage);
  ear.stream = client;
  ear.speech = 'http';
  const reader = new HeadReader(passage.running.sandbox.ceilings, 'request');
  const head = await passage.read(client, reader, 'head-malformed');
  const [, origin] = head.start;
  if (!isOriginTarget(origin)) throw new Refused('head-malformed');
  if (!isFor(allowed, head)) throw new Refused('host-header-differs');
  const request = await prepareRequest({ head, origin, allowed, over: 'https' }, passage);
  const upstream = await reachTls(order, passage);
  await exchange({ client, upstream, request, ear }, passage);
}

async function acceptTls(
  socket: Socket,
  secureContext: SecureContext,
  passage: Passage,
): Promise<TLSSocket> {
  const client = passage.own(
    new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [PROTOCOL] }),
  );
  await handshake(client, 'secure', { passage, ifFailed: 'handshake-failed' });
  // From here on the bytes are counted there; the socket below sees none of them.
  socket.setTimeout(0);
  passage.watchIdle(client);
  return client;
}

/** Another host in the request than in the hello is how one hides behind an allowed name. */
function isFor({ host, port }: Allowed, head: Head): boolean {
  const [written = ''] = valuesOf(head, 'host');
  const authority = readAuthority(written);
  const named = authority === undefined ? undefined : readHost(authority.host);
  if (authority === undefined || named === undefined) return false;
  return hostText(named) === hostText(host) && (authority.port ?? 443) === port;
}
