import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Host } from '../canonical-host.ts';
import type { Allowed } from '../decide.ts';
import type { Passage } from '../proxy/passage.ts';
import { Refused, type Refusal } from '../refusal.ts';

export interface TlsOrder {
  readonly allowed: Allowed;
  /** Those that `resolve` gave. */
  readonly addresses: readonly string[];
}

export const PROTOCOL = 'http/1.1';

/** TLS of our own to a host that has to prove who it is. Contract: throws Refused. */
export async function reachTls(
  { allowed: { host, port }, addresses }: TlsOrder,
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

export async function handshake(
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
