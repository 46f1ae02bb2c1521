import { type Server, type TLSSocket, createServer } from 'node:tls';
import type { AccessPort } from '@palyra/gateway';
import type { Log } from '@palyra/kernel';
import { type Link, type TurnedAway, certificateOf, strangerOf } from '../auth/link.ts';
import type { Lines, Speech } from '../http/lines.ts';
import type { DropReport } from '../http/drop-report.ts';
import type { TransportSettings } from '../transport-section.ts';
import { type Guest, MOST_HANDSHAKES, createAdmission } from './admission.ts';
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
  readonly access: AccessPort;
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
  const receive = async (socket: TLSSocket) => {
    const link = judge(socket, log);
    const guest = link === undefined ? undefined : await guestOf(link, parts.access);
    if (link === undefined || guest === undefined || socket.destroyed) {
      socket.destroy();
    } else if (admission.admit(socket, guest)) {
      const isRevoked = link.at === 'device' && guest.kind === 'stranger';
      if (isRevoked) turnAway(socket, link, 'revoked');
      else lines.take(socket, link, speechOf(socket));
    } else {
      drops.dropped();
      // It hears so in a place of those who have proven nothing: silence would look as if it were unknown.
      const mayHear = guest.kind === 'device' && admission.admit(socket, { kind: 'stranger' });
      if (mayHear && link.at === 'device') turnAway(socket, link, 'crowded');
      else socket.destroy();
    }
  };
  const turnAway = (socket: TLSSocket, link: DeviceLink, turnedAway: TurnedAway) => {
    hearOutBriefly(socket);
    lines.take(socket, { ...link, turnedAway }, speechOf(socket));
  };
  server.on('connection', (socket) => admission.knock(socket));
  server.on('secureConnection', (socket) => {
    // Until a line has it: whoever breaks off now tells nobody anything.
    socket.on('error', () => socket.destroy());
    void receive(socket);
  });
}

type DeviceLink = Extract<Link, { at: 'device' }>;

/** How long one that is turned away may take to ask, and to hear why. */
const HEARING_MS = 5_000;

function hearOutBriefly(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), HEARING_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Whose places it takes. One that was revoked comes in only to hear so, and shuts out no device.
 * Contract: never rejects; `undefined` for what has no business here.
 */
async function guestOf(link: Link, access: AccessPort): Promise<Guest | undefined> {
  switch (link.at) {
    case 'device':
    case 'carried': {
      const { certificate } = link.proof;
      const holds = await access.byCertificate(certificate).then(
        () => true,
        () => false,
      );
      if (holds) return { kind: 'device', name: certificate.subjectAltName };
      return link.at === 'device' ? { kind: 'stranger' } : undefined;
    }
    case 'pairing':
      return { kind: 'stranger' };
    case 'console':
      return undefined;
  }
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

function speechOf({ alpnProtocol }: TLSSocket): Speech {
  return alpnProtocol === 'h2' ? 'http2' : 'http1';
}
