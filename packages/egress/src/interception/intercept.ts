import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import { type Host, hostText, readAuthority, readHost } from '../canonical-host.ts';
import type { Allowed } from '../decide.ts';
import type { Ear } from '../proxy/ear.ts';
import { exchange } from '../proxy/exchange.ts';
import type { Passage } from '../proxy/passage.ts';
import { prepareRequest } from '../proxy/request.ts';
import { type Head, HeadReader, valuesOf } from '../reading/http-head.ts';
import { isOriginTarget } from '../reading/request-target.ts';
import { Refused, type Refusal } from '../refusal.ts';

export interface InterceptOrder {
  /** Its next bytes are a hello that names the host. */
  readonly socket: Socket;
  readonly allowed: Allowed;
  readonly addresses: readonly string[];
  readonly ear: Ear;
}

const PROTOCOL = 'http/1.1';

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

async function reachTls(
  { allowed: { host, port }, addresses }: InterceptOrder,
  passage: Passage,
): Promise<TLSSocket> {
  const socket = await passage.dial(addresses, port);
  const upstream = passage.own(
    connect({
      socket,
      ...identityOf(host),
      ca: [...passage.running.trusted()],
      ALPNProtocols: [PROTOCOL],
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
    }),
  );
  await handshake(upstream, 'secureConnect', { passage, ifFailed: 'upstream-untrusted' });
  return upstream;
}

/** Whom the host has to prove to be. An address is no name that TLS could carry. */
function identityOf(host: Host): { readonly host: string; readonly servername: string } {
  return host.kind === 'name'
    ? { host: host.name, servername: host.name }
    : { host: host.address, servername: '' };
}

async function handshake(
  stream: TLSSocket,
  event: 'secure' | 'secureConnect',
  { passage, ifFailed }: { readonly passage: Passage; readonly ifFailed: Refusal },
): Promise<void> {
  const signal = AbortSignal.timeout(passage.running.sandbox.ceilings.helloMs);
  const closed = once(stream, 'close', { signal }).then(() => {
    throw new Refused(ifFailed);
  });
  try {
    await Promise.race([once(stream, event, { signal }), closed]);
  } catch {
    // Which way it failed is between the two; that it failed is what counts.
    throw new Refused(ifFailed);
  }
}

/** Another host in the request than in the hello is how one hides behind an allowed name. */
function isFor({ host, port }: Allowed, head: Head): boolean {
  const [written = ''] = valuesOf(head, 'host');
  const authority = readAuthority(written);
  const named = authority === undefined ? undefined : readHost(authority.host);
  if (authority === undefined || named === undefined) return false;
  return hostText(named) === hostText(host) && (authority.port ?? 443) === port;
}
