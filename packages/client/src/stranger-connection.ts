import { once } from 'node:events';
import type { ConnectionOptions } from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import { PalyraError } from '@palyra/kernel';
import { type PalyraClient, createClient } from './client.ts';
import { toPalyraError } from './errors.ts';
import { type Dialer, TlsDialer } from './tls-dialer.ts';
import { grpcOver } from './tls-transports.ts';

/** A connection without a certificate of ours: good for the two calls that are open to strangers. */
export interface StrangerConnection extends Disposable {
  readonly client: PalyraClient;
  /** What the server showed; checked only as far as the options of the connection say. */
  readonly serverCertificate: X509Certificate;
}

/**
 * INVARIANT: one TLS connection and never a second. What is proven is bound to the certificate that
 * was seen on it; a connection that is opened again could end somewhere else.
 */
export async function connectAsStranger(
  address: string,
  tls: ConnectionOptions,
  signal: AbortSignal,
): Promise<StrangerConnection> {
  const dialer = new TlsDialer({ address, protocol: 'h2', as: 'stranger', tls });
  const socket = dialer.dial();
  try {
    await once(socket, 'secureConnect', { signal });
  } catch (reason) {
    socket.destroy();
    throw toPalyraError(dialer.nameError(reason, signal), signal);
  }
  // Whoever uses it next hears of its end; until then nobody would, and Node would end the program.
  socket.on('error', () => socket.destroy());
  const serverCertificate = socket.getPeerX509Certificate();
  if (serverCertificate === undefined) {
    socket.destroy();
    throw new PalyraError('GATEWAY_UNTRUSTED', `\`${address}\` shows no certificate`);
  }
  let isTaken = false;
  const single: Dialer = {
    nameError: dialer.nameError,
    dial: () => {
      if (isTaken) throw new PalyraError('DAEMON_UNREACHABLE', 'the connection broke off');
      isTaken = true;
      return socket;
    },
  };
  return {
    client: createClient(grpcOver(single, address)),
    serverCertificate,
    [Symbol.dispose]: () => socket.destroy(),
  };
}
