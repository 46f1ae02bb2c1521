import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import {
  DEVICE_ID,
  greet,
  type Greeting,
  type GreetingOutcome,
  P256,
  pairedDevice,
  pemOf,
  type TestAuthorities,
  testAuthorities,
} from './authority.fixture.ts';
import { type MadeAuthority, makeAuthority } from './authority.ts';
import { issueLeaf, type Leaf, periodFrom } from './certificate.ts';
import type { GatewayName } from './gateway-names.ts';
import { namesExtension, uriExtension } from './name-extensions.ts';
import { loadX509 } from './x509.ts';

const HOUR_MS = 3_600_000;

describe('a device that is paired', () => {
  it('gets in over TLS 1.3 with its name and nothing of its wishes', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const [server] = await authorities.serverCredentials();
    if (server === undefined) throw new Error('no credential');
    expect(
      await greet({
        server: [server],
        accepted: [server.authorityPem],
        trusted: server.authorityPem,
        serverName: server.serverName,
        client: await pairedDevice(authorities),
      }),
    ).toEqual({
      ended: 'greeted',
      protocol: 'TLSv1.3',
      names: `URI:palyra://device.palyra.internal/${DEVICE_ID}`,
    });
  });

  it.each(['localhost', 'gw.example', 'below.gw.example'])(
    'may check the name `%s` only where the certificate bears it',
    async (serverName) => {
      await using home = await tempHome();
      const { authorities } = await testAuthorities(home, { names: ['gw.example'] });
      const outcome = await greetWith(authorities, { serverName });
      expect(outcome.ended).toBe(
        serverName === 'below.gw.example' ? 'refused by client' : 'greeted',
      );
    },
  );

  it('is answered by the authority that it asks for while two are accepted', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const oldDevice = await pairedDevice(authorities);
    await authorities.rotate({ actor: 'user:1' });
    const newDevice = await pairedDevice(authorities);
    const server = await authorities.serverCredentials();
    const accepted = server.map(({ authorityPem }) => authorityPem);
    const [active, retiring] = server;
    if (active === undefined || retiring === undefined) throw new Error('two are needed');
    const asking = (credential: typeof active, client: Greeting['client']) =>
      greet({
        server,
        accepted,
        trusted: credential.authorityPem,
        serverName: credential.serverName,
        client,
      });
    expect((await asking(active, newDevice)).ended).toBe('greeted');
    expect((await asking(retiring, oldDevice)).ended).toBe('greeted');
    expect((await asking(active, oldDevice)).ended).toBe('greeted');
  });
});

describe('a device that is not', () => {
  it('is refused without a certificate', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    expect(await greetWith(authorities, { client: {} })).toEqual({
      ended: 'refused by server',
      reason: 'UNABLE_TO_GET_ISSUER_CERT',
    });
  });

  it('is refused with a certificate of another gateway', async () => {
    await using home = await tempHome();
    await using elsewhere = await tempHome();
    const { authorities } = await testAuthorities(home);
    const other = await testAuthorities(elsewhere);
    const client = await pairedDevice(other.authorities);
    expect((await greetWith(authorities, { client })).ended).toBe('refused by server');
  });

  it('is refused with a certificate that it signed itself', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const { authority, key } = await makeAuthority([], new Date());
    const cert = await pemOf(authority.certificate);
    const client = { key: key.export({ type: 'pkcs8', format: 'pem' }), cert };
    expect((await greetWith(authorities, { client })).ended).toBe('refused by server');
  });

  it.each([
    { when: 'expired', days: -2, reason: 'CERT_HAS_EXPIRED' },
    { when: 'is not valid yet', days: 2, reason: 'CERT_NOT_YET_VALID' },
  ])('is refused with a certificate that $when', async ({ days, reason }) => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    const [server] = await authorities.serverCredentials();
    clock.moveDays(days);
    const client = await pairedDevice(authorities);
    clock.moveDays(-days);
    if (server === undefined) throw new Error('no credential');
    expect(await greetWith(authorities, { client, server: [server] })).toEqual({
      ended: 'refused by server',
      reason,
    });
  });

  it('is refused with the certificate of a server', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const [server] = await authorities.serverCredentials();
    if (server === undefined) throw new Error('no credential');
    const client = { key: server.keyPem, cert: server.certificatePem };
    expect(await greetWith(authorities, { client })).toEqual({
      ended: 'refused by server',
      reason: 'INVALID_PURPOSE',
    });
  });

  it('is refused when it poses as the gateway', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const { key, cert } = await pairedDevice(authorities);
    const [server] = await authorities.serverCredentials();
    if (server === undefined) throw new Error('no credential');
    const posing = { ...server, keyPem: key, certificatePem: cert };
    expect((await greetWith(authorities, { server: [posing] })).ended).toBe('refused by client');
  });
});

describe('the stolen key of an authority', () => {
  const evil: readonly GatewayName[] = [{ kind: 'dns', text: 'bank.example' }];
  const address: readonly GatewayName[] = [
    { kind: 'ip', text: '192.0.2.1', octets: [192, 0, 2, 1] },
  ];

  it.each([
    { what: 'a name', names: namesExtension(evil), serverName: 'bank.example' },
    { what: 'an address', names: namesExtension(address), serverName: '192.0.2.1' },
    {
      what: 'a name beside one of its own',
      names: namesExtension([{ kind: 'dns', text: 'localhost' }, ...evil]),
      serverName: 'localhost',
    },
  ])('makes no server for $what outside its constraints', async ({ names, serverName }) => {
    const made = await makeAuthority([], new Date());
    const stolen = await signed(made, { names, usage: 'serverAuth' });
    const authorityPem = await pemOf(made.authority.certificate);
    const client = await signed(made, { names: uriExtension(DEVICE_URI), usage: 'clientAuth' });
    expect(
      await greet({
        server: [{ ...stolen, serverName }],
        accepted: [authorityPem],
        trusted: authorityPem,
        serverName: serverName === '192.0.2.1' ? '' : serverName,
        client: { key: client.keyPem, cert: client.certificatePem },
      }),
    ).toEqual({ ended: 'refused by client', reason: 'permitted subtree violation' });
  });

  it.each([
    { what: 'a URI of somebody else', names: uriExtension('spiffe://bank.example/device') },
    {
      what: 'a URI below its own host',
      names: uriExtension('palyra://x.device.palyra.internal/1'),
    },
    { what: 'a name of somebody else', names: namesExtension(evil) },
  ])('makes no client with $what', async ({ names }) => {
    const made = await makeAuthority([], new Date());
    const client = await signed(made, { names, usage: 'clientAuth' });
    expect(await greetAs(made, client)).toEqual({
      ended: 'refused by server',
      // Node has no word of its own for a name outside the constraints.
      reason: 'UNSPECIFIED',
    });
  });

  it('makes no authority below it', async () => {
    const made = await makeAuthority([], new Date());
    const below = await authorityBelow(made);
    const leaf = await signed(below, { names: uriExtension(DEVICE_URI), usage: 'clientAuth' });
    const chain = leaf.certificatePem + (await pemOf(below.authority.certificate));
    const outcome = await greetAs(made, { ...leaf, certificatePem: chain });
    expect(outcome).toEqual({ ended: 'refused by server', reason: 'PATH_LENGTH_EXCEEDED' });
  });
});

const DEVICE_URI = `palyra://device.palyra.internal/${DEVICE_ID}`;

interface Signed {
  readonly keyPem: string;
  readonly certificatePem: string;
}

async function greetWith(
  authorities: TestAuthorities['authorities'],
  changes: Partial<Greeting>,
): Promise<GreetingOutcome> {
  const server = await authorities.serverCredentials();
  const [{ authorityPem, serverName } = { authorityPem: '', serverName: '' }] = server;
  const client = changes.client ?? (await pairedDevice(authorities));
  const usual = { server, accepted: [authorityPem], trusted: authorityPem, serverName };
  return greet({ ...usual, ...changes, client });
}

async function greetAs(made: MadeAuthority, client: Signed): Promise<GreetingOutcome> {
  const names = namesExtension([{ kind: 'dns', text: 'localhost' }]);
  const server = await signed(made, { names, usage: 'serverAuth' });
  const authorityPem = await pemOf(made.authority.certificate);
  return greet({
    server: [{ ...server, serverName: 'localhost' }],
    accepted: [authorityPem],
    trusted: authorityPem,
    serverName: 'localhost',
    client: { key: client.keyPem, cert: client.certificatePem },
  });
}

async function signed(
  { authority, key }: MadeAuthority,
  leaf: Pick<Leaf, 'names' | 'usage'>,
): Promise<Signed> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = await issueLeaf(
    {
      ...leaf,
      commonName: 'Palyra device',
      publicKeySpki: Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' })),
      period: periodFrom(new Date(), HOUR_MS),
    },
    { certificate: new X509Certificate(authority.certificate), key },
  );
  return {
    keyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    certificatePem: certificate.toString(),
  };
}

async function authorityBelow({ authority, key }: MadeAuthority): Promise<MadeAuthority> {
  const x509 = await loadX509();
  const below = await makeAuthority([], new Date());
  const own = new x509.X509Certificate(Uint8Array.from(below.authority.certificate));
  const above = new x509.X509Certificate(Uint8Array.from(authority.certificate));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: own.subjectName,
    issuer: above.subjectName,
    ...periodFrom(new Date(), HOUR_MS),
    publicKey: own.publicKey,
    signingKey: key.toCryptoKey(P256, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: own.extensions,
  });
  const raw = new Uint8Array(certificate.rawData);
  return { ...below, authority: { ...below.authority, certificate: raw } };
}
