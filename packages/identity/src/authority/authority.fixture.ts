import { once } from 'node:events';
import { connect, createServer, createSecureContext, type SecureContextOptions } from 'node:tls';
import { type Bytes, type Clock, systemClock } from '@palyra/kernel';
import { quietLog, type TempHome } from '@palyra/testkit';
import { identitySection } from '../identity-section.ts';
import { MemoryRecords } from '../records.fixture.ts';
import { type Authorities, createAuthorities, type ServerCredential } from './authorities.ts';
import { loadX509 } from './x509.ts';

export const DEVICE_ID = '01JD0000000000000000000000';

/** A clock that a test moves; it starts with the real time, since TLS looks at that. */
export interface MovableClock extends Clock {
  moveDays(days: number): void;
}

export function movableClock(): MovableClock {
  const startMs = systemClock().now().getTime();
  let days = 0;
  return {
    ...systemClock(),
    now: () => new Date(startMs + days * 86_400_000),
    moveDays: (by) => {
      days += by;
    },
  };
}

type Settings = Readonly<Record<string, unknown>>;

export interface TestStart {
  readonly records: MemoryRecords;
  readonly clock: MovableClock;
  readonly log: ReturnType<typeof quietLog>;
  /** As a daemon does when it starts, the first time or again, perhaps with other settings. */
  readonly restart: (settings?: Settings) => Promise<Authorities>;
}

export interface TestAuthorities extends TestStart {
  readonly authorities: Authorities;
}

export function testStart(home: TempHome, settings: Settings = {}): TestStart {
  const records = new MemoryRecords();
  const clock = movableClock();
  const log = quietLog();
  const restart = (wanted = settings) =>
    createAuthorities({
      records,
      places: home.places,
      clock,
      settings: identitySection.parse(wanted),
      log,
    });
  return { records, clock, log, restart };
}

export async function testAuthorities(
  home: TempHome,
  settings: Settings = {},
): Promise<TestAuthorities> {
  const start = testStart(home, settings);
  return { ...start, authorities: await start.restart() };
}

export interface DeviceKey {
  readonly keyPem: string;
  /** DER. */
  readonly request: Bytes;
}

/** What a device makes before it asks for a certificate. */
export async function deviceKey(
  algorithm: Parameters<typeof crypto.subtle.generateKey>[0] | EcKeyGenParams = P256,
): Promise<DeviceKey> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  if (!('privateKey' in keys)) throw new TypeError('not a pair of keys');
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: 'CN=root, O=Somebody important',
    keys,
    signingAlgorithm: { name: keys.privateKey.algorithm.name, hash: 'SHA-256' },
    extensions: [new x509.BasicConstraintsExtension(true, 3, true)],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    keyPem: x509.PemConverter.encode(Uint8Array.from(pkcs8), 'PRIVATE KEY'),
    request: new Uint8Array(request.rawData),
  };
}

export const P256 = { name: 'ECDSA', namedCurve: 'P-256' };

interface EcKeyGenParams {
  readonly name: string;
  readonly namedCurve?: string;
}

export async function pemOf(certificate: Uint8Array): Promise<string> {
  const { PemConverter } = await loadX509();
  return PemConverter.encode(Uint8Array.from(certificate), 'CERTIFICATE');
}

/** A key with a certificate of the active authority. */
export async function pairedDevice(
  authorities: Authorities,
): Promise<{ readonly key: string; readonly cert: string }> {
  const { keyPem, request } = await deviceKey();
  const issued = await authorities.issueDevice({
    deviceId: DEVICE_ID,
    request: await authorities.readRequest(request),
  });
  return { key: keyPem, cert: await pemOf(issued.certificate) };
}

export interface Greeting {
  readonly server: readonly Pick<ServerCredential, 'serverName' | 'certificatePem' | 'keyPem'>[];
  /** What the server trusts. */
  readonly accepted: readonly string[];
  /** What the client trusts. */
  readonly trusted: string;
  readonly serverName: string;
  readonly client: SecureContextOptions;
}

export type GreetingOutcome =
  | { readonly ended: 'greeted'; readonly protocol: string; readonly names: string }
  | { readonly ended: 'refused by client' | 'refused by server'; readonly reason: string };

/** One TLS connection on loopback, as the device port makes it. */
export async function greet(greeting: Greeting): Promise<GreetingOutcome> {
  const [first] = greeting.server;
  const server = createServer({
    key: first?.keyPem,
    cert: first?.certificatePem,
    ca: [...greeting.accepted],
    minVersion: 'TLSv1.3',
    requestCert: true,
    // As the device port: strangers may pair, so the verdict of TLS is looked at afterwards.
    rejectUnauthorized: false,
    SNICallback: (name, done) => {
      const found = greeting.server.find(({ serverName }) => serverName === name);
      if (found === undefined) return done(null);
      const { keyPem: key, certificatePem: cert } = found;
      done(
        null,
        createSecureContext({ key, cert, ca: [...greeting.accepted], minVersion: 'TLSv1.3' }),
      );
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await Promise.race([serverVerdict(server), clientVerdict(server, greeting)]);
  } finally {
    server.close();
  }
}

function serverVerdict(server: ReturnType<typeof createServer>): Promise<GreetingOutcome> {
  return new Promise((resolve) => {
    server.on('secureConnection', (socket) => {
      socket.on('error', () => socket.destroy());
      const names = socket.getPeerX509Certificate()?.subjectAltName ?? '';
      const protocol = socket.getProtocol() ?? '';
      const reason = String(socket.authorizationError);
      const isIn = socket.authorized;
      resolve(
        isIn ? { ended: 'greeted', protocol, names } : { ended: 'refused by server', reason },
      );
      socket.destroy();
    });
    // The client's own refusal reaches the server as an alert; the client tells why.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
  });
}

function clientVerdict(
  server: ReturnType<typeof createServer>,
  { trusted, serverName, client }: Greeting,
): Promise<GreetingOutcome> {
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return new Promise((resolve) => {
    const socket = connect({
      ...client,
      host: '127.0.0.1',
      port,
      servername: serverName,
      ca: trusted,
    });
    let isTrusted = false;
    socket.on('secureConnect', () => {
      isTrusted = true;
    });
    socket.on('error', ({ message }) => {
      // Once the client is content, whatever comes is the server's doing, and the server tells why.
      if (!isTrusted) resolve({ ended: 'refused by client', reason: message });
    });
    socket.resume();
  });
}
