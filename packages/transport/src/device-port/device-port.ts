import { type Server, type TLSSocket, createServer } from 'node:tls';
import type { Log } from '@palyra/kernel';
import { type Link, certificateOf, strangerOf } from '../auth/link.ts';
import type { Lines, Speech } from '../http/lines.ts';
import type { DropReport } from '../http/drop-report.ts';
import type { TransportSettings } from '../transport-section.ts';
import { type Admission, MOST_HANDSHAKES, createAdmission } from './admission.ts';
import type { Credentials } from './credentials.ts';

/**
 * What a device says (ALPN) on a connection over which it carries a browser. INVARIANT: the
 * carrying program names nothing else, so that what it carries can never pass for the device itself.
 */
export const CARRIED_PROTOCOL = 'palyra-console/1';

const PROTOCOLS = ['h2', 'http/1.1', CARRIED_PROTOCOL];

export interface DevicePortParts {
  readonly settings: TransportSettings;
  readonly credentials: Credentials;
  readonly log: Log;
  readonly drops: DropReport;
}

/** TLS 1.3, and a certificate of ours for whoever has one. Contract: does not listen yet. */
export function createDevicePort({ settings, credentials, log, drops }: DevicePortParts): Server {
  const server = createServer({
    ...credentials.active,
    ALPNProtocols: PROTOCOLS,
    // An answer is several small writes; held back for one another they would take 40 ms.
    noDelay: true,
    requestCert: true,
    // We look ourselves, right after the handshake: a stranger without certificate may pair.
    rejectUnauthorized: false,
    handshakeTimeout: settings.handshake_ms,
    SNICallback: (name, answer) => answer(null, credentials.contextFor(name)),
  });
  // What is under way and what was let in together; each has its own bound below this one.
  server.maxConnections = settings.max_connections + settings.max_strangers + MOST_HANDSHAKES;
  server.on('drop', () => drops.dropped());
  server.on('tlsClientError', (reason, socket) => {
    log.debug('handshake failed', { reason: reason.message });
    socket.destroy();
  });
  return server;
}

/** Contract: in the same turn of the event loop in which the port was bound. */
export function receiveDevices(server: Server, lines: Lines, parts: DevicePortParts): void {
  const { settings, log, drops } = parts;
  const admission = createAdmission(settings);
  server.on('connection', (socket) => admission.knock(socket));
  server.on('secureConnection', (socket) => {
    const link = judge(socket, log);
    if (link === undefined || !admitted(socket, link, admission)) {
      if (link !== undefined) drops.dropped();
      socket.destroy();
      return;
    }
    lines.take(socket, link, speechOf(socket));
  });
}

/**
 * Contract: `undefined` for a certificate that does not hold. INVARIANT: such a one is never taken
 * for none at all, and a resumed session, which shows none, is not let in.
 */
function judge(socket: TLSSocket, log: Log): Link | undefined {
  const certificate = certificateOf(socket);
  if (socket.isSessionReused() || (certificate !== undefined && !socket.authorized)) {
    log.info('certificate refused', {
      address: socket.remoteAddress,
      reason: String(socket.authorizationError),
    });
    return undefined;
  }
  const stranger = () => strangerOf(socket);
  const isCarried = socket.alpnProtocol === CARRIED_PROTOCOL;
  if (certificate === undefined) return isCarried ? undefined : { at: 'pairing', stranger };
  const proof = { by: 'certificate', certificate } as const;
  return isCarried ? { at: 'carried', proof } : { at: 'device', proof, stranger };
}

function admitted(socket: TLSSocket, link: Link, admission: Admission): boolean {
  switch (link.at) {
    case 'device':
    case 'carried':
      return admission.admit(socket, {
        kind: 'device',
        name: link.proof.certificate.subjectAltName,
      });
    case 'pairing':
      return admission.admit(socket, { kind: 'stranger' });
    case 'console':
      return false;
  }
}

function speechOf({ alpnProtocol }: TLSSocket): Speech {
  return alpnProtocol === 'h2' ? 'http2' : 'http1';
}
