import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type PairedDevice, pairedDevice, tempHome, verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, callText, dialAs } from './dial.ts';
import { certificateFacts } from './forged.ts';
import { NEW_SUITES, greet } from './hello.ts';
import { Daemon } from './harness.ts';
import { type Workspace, openWorkspace } from './workspace.ts';

let workspace: Workspace;
let device: PairedDevice;
let port = 0;
beforeAll(async () => {
  workspace = await openWorkspace();
  device = await pairedDevice(workspace.test, workspace.doors.device);
  port = Number(workspace.doors.device.split(':').at(-1));
}, 60_000);
afterAll(() => workspace[Symbol.asyncDispose]());

const dial = (options: ConnectionOptions = {}) => dialAs(device, options);

async function greeted(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = dial(options);
  await once(socket, 'secureConnect');
  return socket;
}

/** How a handshake ends that must not succeed: the code of its fault. */
async function fault(options: ConnectionOptions): Promise<string> {
  const socket = dial(options);
  const ended = await Promise.race([once(socket, 'error'), once(socket, 'secureConnect')]).catch(
    (reason: unknown) => [reason],
  );
  socket.destroy();
  const [reason] = ended;
  return reason instanceof Error && 'code' in reason ? String(reason.code) : 'greeted';
}

const HEALTH = callText('palyra.v1.HealthService/GetHealth', '{}');
/** By version: SSL 3 has no alert of its own for it, only that the handshake has failed. */
const REFUSED = new Map([
  [0x0300, { kind: 'alert', description: 40 }],
  [0x0301, { kind: 'alert', description: 70 }],
  [0x0302, { kind: 'alert', description: 70 }],
  [0x0303, { kind: 'alert', description: 70 }],
]);

const MODERN = verifies('identity:tls-only-modern');

describe('the device port', () => {
  it.each([
    ['SSL 3', 0x0300],
    ['TLS 1.0', 0x0301],
    ['TLS 1.1', 0x0302],
    ['TLS 1.2', 0x0303],
  ])(
    'answers a hello of %s with an alert, whatever its ciphers',
    MODERN,
    async (_name, version) => {
      expect(await greet(port, { version })).toEqual(REFUSED.get(version));
      const supportedVersions = [version];
      const answer = await greet(port, { version: 0x0303, supportedVersions, suites: NEW_SUITES });
      expect(answer).toMatchObject({ kind: 'alert' });
    },
  );

  it(
    'answers the same hello when it names TLS 1.3, unless it wants compression',
    MODERN,
    async () => {
      const modern = { version: 0x0303, supportedVersions: [0x0304], suites: NEW_SUITES };
      expect(await greet(port, modern)).toEqual({ kind: 'handshake', type: 2 });
      const packed = await greet(port, { ...modern, compressions: [1, 0] });
      expect(packed).toMatchObject({ kind: 'alert' });
    },
  );

  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const)(
    'refuses a library that speaks %s at most',
    MODERN,
    async (version) => {
      // Without this the library of the client would refuse by itself and prove nothing.
      const ciphers = 'ALL:@SECLEVEL=0';
      const code = await fault({ minVersion: version, maxVersion: version, ciphers });
      expect(code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    },
  );

  it(
    'knows three ciphers, all authenticated, always with a key of the moment',
    MODERN,
    async () => {
      const known: string[] = [];
      for (const cipher of [
        'TLS_AES_128_GCM_SHA256',
        'TLS_AES_256_GCM_SHA384',
        'TLS_CHACHA20_POLY1305_SHA256',
        'TLS_AES_128_CCM_SHA256',
        'TLS_AES_128_CCM_8_SHA256',
      ]) {
        if ((await fault({ ciphers: cipher })) === 'greeted') known.push(cipher);
      }
      expect(known).toEqual([
        'TLS_AES_128_GCM_SHA256',
        'TLS_AES_256_GCM_SHA384',
        'TLS_CHACHA20_POLY1305_SHA256',
      ]);
      const socket = await greeted({ ecdhCurve: 'P-256' });
      expect(socket.getProtocol()).toBe('TLSv1.3');
      expect(socket.getEphemeralKeyInfo()).toMatchObject({ type: 'ECDH', name: 'prime256v1' });
      socket.destroy();
    },
  );

  it('cannot be made to negotiate anew', MODERN, async () => {
    const socket = await greeted();
    const reason = await new Promise((resolve) => {
      expect(socket.renegotiate({}, resolve)).not.toBe(true);
    }).catch((thrown: unknown) => thrown);
    expect(reason).toBeInstanceOf(Error);
    socket.destroy();
  });

  it(
    'takes no session up again, and a call on the second try shows its certificate too',
    MODERN,
    async () => {
      const sessions: Buffer[] = [];
      const first = dial().on('session', (session: Buffer) => sessions.push(session));
      expect(await answerTo(first, HEALTH)).toContain('200 OK');
      const session = sessions.at(-1);
      const again = dial({ session });
      const isReused = once(again, 'secureConnect').then(() => again.isSessionReused());
      expect(await answerTo(again, HEALTH)).toContain('200 OK');
      expect(await isReused).toBe(false);
      expect(await answerTo(dial({ session, cert: '', key: '' }), HEALTH)).toContain('401 ');
    },
  );

  it('speaks the protocols that it names, and refuses the rest', MODERN, async () => {
    for (const protocol of ['h2', 'http/1.1', 'palyra-console/1']) {
      const socket = await greeted({ ALPNProtocols: [protocol] });
      expect(socket.alpnProtocol).toBe(protocol);
      socket.destroy();
    }
    for (const protocol of ['http/1.0', 'h3', 'spdy/3', 'smtp']) {
      expect(await fault({ ALPNProtocols: [protocol] }), protocol).toMatch(
        /ALERT_NO_APPLICATION_PROTOCOL$/,
      );
    }
  });
});

describe('the certificate of the gateway', () => {
  it(
    'is for this gateway and a server, no longer than a month, by an authority that is bounded',
    MODERN,
    async () => {
      const socket = await greeted();
      const shown = socket.getPeerX509Certificate();
      const above = shown?.issuerCertificate;
      socket.destroy();
      if (shown === undefined || above === undefined) throw new Error('no chain was shown');
      // The two of them are all: the authority is its own.
      expect(above.checkIssued(above)).toBe(true);
      expect(above.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
        (await workspace.gateway.identity.authorities.list())[0]?.fingerprint,
      );
      expect(shown.subjectAltName).toBe(
        `DNS:${device.serverName}, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1`,
      );
      for (const each of [shown, above]) {
        expect(each.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
        expect(Buffer.from(each.serialNumber, 'hex').length).toBeGreaterThanOrEqual(15);
      }
      const lifeDays = (shown.validToDate.getTime() - shown.validFromDate.getTime()) / 86_400_000;
      expect(lifeDays).toBeLessThanOrEqual(30.01);
      expect(certificateFacts(shown.raw)).toEqual({
        signature: 'ECDSA SHA-256',
        authority: 'no, critical',
        usages: 'digitalSignature',
        purposes: ['serverAuth'],
        constraints: 'none',
      });
      expect(certificateFacts(above.raw)).toEqual({
        signature: 'ECDSA SHA-256',
        authority: 'length 0, critical',
        usages: 'keyCertSign',
        purposes: ['serverAuth', 'clientAuth'],
        constraints: 'critical',
      });
    },
  );
});

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' }).startsWith('OpenSSL 3');
  } catch {
    // A machine without it tests the same with the library of Node alone.
    return false;
  }
})();

/** What the program of OpenSSL says; it is told to leave as soon as the handshake is over. */
async function openssl(...words: readonly string[]): Promise<string> {
  const child = spawn('openssl', words, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end('Q\n');
  const [out, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + complaints;
}

describe.skipIf(!hasOpenssl)('OpenSSL itself, where it is installed,', () => {
  const client = async (...words: readonly string[]) => {
    const file = join(workspace.test.home.path, 'authority.pem');
    await writeFile(file, device.authorities.join('\n'));
    const where = ['-connect', `127.0.0.1:${port}`, '-servername', device.serverName];
    const trust = ['-CAfile', file, '-verify_hostname', device.serverName, '-verify_return_error'];
    return await openssl('s_client', ...where, ...trust, '-x509_strict', ...words);
  };

  it('agrees that the certificate holds, by the strict rules', MODERN, async () => {
    const said = await client('-alpn', 'h2', '-showcerts');
    expect(said).toContain('Verify return code: 0 (ok)');
    expect(said).toMatch(/New, TLSv1\.3, Cipher is TLS_/);
    expect(said).toContain('Compression: NONE');
    expect(said).toContain('Server public key is 256 bit');
    expect(said).toContain('ALPN protocol: h2');
    expect(said).toContain('Acceptable client certificate CA names\nCN = Palyra authority');
    expect(said).toContain('Early data was not sent');
    expect(said.match(/BEGIN CERTIFICATE/g)?.length).toBeLessThanOrEqual(3);
  });

  it.each(['-tls1', '-tls1_1', '-tls1_2'])('gets nowhere with %s', MODERN, async (version) => {
    const said = await client(version, '-cipher', 'ALL:@SECLEVEL=0');
    expect(said).toMatch(/alert protocol version/);
    expect(said).toContain('Cipher is (NONE)');
  });
});

describe('the daemon as it is started', () => {
  it('speaks TLS 1.3 with whoever knows its door, and nothing older', MODERN, async () => {
    await using home = await tempHome();
    await using daemon = await new Daemon(home.path).ready();
    const { address, authorities } = await daemon.door();
    const daemonPort = Number(address.split(':').at(-1));
    for (const [version, refusal] of REFUSED) {
      expect(await greet(daemonPort, { version })).toEqual(refusal);
    }
    const [authority] = authorities.map((der) => new X509Certificate(Buffer.from(der, 'base64')));
    if (authority === undefined) throw new Error('the door names no authority');
    const id = authority.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 32);
    const socket = dialAs({
      address,
      authorities: [authority.toString()],
      serverName: `${id}.palyra.internal`,
      certificate: '',
      key: '',
    });
    const said = answerTo(socket, HEALTH);
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    expect(await said).toMatch(/^HTTP\/1\.1 401 /);
  });
});
