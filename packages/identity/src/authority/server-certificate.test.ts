import { X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { testAuthorities } from './authority.fixture.ts';
import type { Authorities } from './authorities.ts';

describe('the certificate of the gateway', () => {
  it('bears the name that clients check, this machine and what is configured', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home, { names: ['gw.example', '2001:db8::7'] });
    const { certificatePem, serverName, fingerprint } = await credentialOf(authorities);
    const certificate = new X509Certificate(certificatePem);
    expect(certificate.subjectAltName).toBe(
      `DNS:${serverName}, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, ` +
        'DNS:gw.example, IP Address:2001:DB8:0:0:0:0:0:7',
    );
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(certificate.ca).toBe(false);
    expect(Buffer.from(fingerprint).toString('hex')).toBe(
      certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    );
  });

  it('stays the same for whoever asks at once, again, or after a restart', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    const [one, other] = await Promise.all([credentialOf(authorities), credentialOf(authorities)]);
    expect(other).toEqual(one);
    expect(await credentialOf(authorities)).toEqual(one);
    expect(await credentialOf(await restart())).toEqual(one);
  });

  it('keeps its key sealed on disk', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const { authorityId, keyPem } = await credentialOf(authorities);
    const stored = readFileSync(`${home.places.keysDir}/server-${authorityId}.pem`, 'utf8');
    expect(stored).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    expect(stored).not.toContain(keyPem.split('\n')[1]);
  });

  it.each([
    { days: 19, isRenewed: false },
    { days: 21, isRenewed: true },
    { days: 40, isRenewed: true },
    { days: -2, isRenewed: true },
  ])('of 30 days is renewed after $days days: $isRenewed', async ({ days, isRenewed }) => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    const before = await credentialOf(authorities);
    clock.moveDays(days);
    const after = await credentialOf(authorities);
    expect(after.certificatePem !== before.certificatePem).toBe(isRenewed);
    expect(after.keyPem !== before.keyPem).toBe(isRenewed);
  });

  it('is made anew when it was made for longer than is wished now', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    const before = await credentialOf(authorities);
    const after = await credentialOf(await restart({ server_certificate_days: 5 }));
    expect(after.certificatePem).not.toBe(before.certificatePem);
  });

  it('is made anew when a name is dropped', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home, { names: ['gw.example'] });
    await credentialOf(authorities);
    const { certificatePem } = await credentialOf(await restart({}));
    expect(new X509Certificate(certificatePem).subjectAltName).not.toContain('gw.example');
  });

  it('leaves out a name that the authority was made without, says so, and bears it after a rotation', async () => {
    await using home = await tempHome();
    const { restart, log } = await testAuthorities(home);
    const authorities = await restart({ names: ['gw.example'] });
    const before = new X509Certificate((await credentialOf(authorities)).certificatePem);
    expect(before.subjectAltName).not.toContain('gw.example');
    expect(authorities.warnings()).toEqual([
      'no certificate bears `gw.example`: the authority was made without it; ' +
        '`palyra identity rotate-ca` makes one that covers it',
    ]);
    expect(log.lines.filter(({ level }) => level === 'warn').length).toBe(1);
    await authorities.rotate({ actor: 'user:1' });
    const after = new X509Certificate((await credentialOf(authorities)).certificatePem);
    expect(after.subjectAltName).toContain('DNS:gw.example');
    expect(authorities.warnings()).toEqual([]);
  });

  it.each(['', 'nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'is made anew when its file is damaged',
    async (damage) => {
      await using home = await tempHome();
      const { authorities, restart } = await testAuthorities(home);
      const before = await credentialOf(authorities);
      const file = `${home.places.keysDir}/server-${before.authorityId}.pem`;
      const sealed = readFileSync(file, 'utf8').split('-----END CERTIFICATE-----\n')[1] ?? '';
      writeFileSync(file, damage === '' ? '' : damage + sealed);
      const after = await credentialOf(await restart());
      expect(after.serverName).toBe(before.serverName);
      expect(after.certificatePem).not.toBe(before.certificatePem);
    },
  );

  it('is not made anew over a file that others could read', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    const { authorityId } = await credentialOf(authorities);
    chmodSync(`${home.places.keysDir}/server-${authorityId}.pem`, 0o644);
    const again = await restart();
    await expect(again.serverCredentials()).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
  });
});

async function credentialOf(authorities: Authorities) {
  const [credential] = await authorities.serverCredentials();
  if (credential === undefined) throw new Error('there is no credential');
  return credential;
}
