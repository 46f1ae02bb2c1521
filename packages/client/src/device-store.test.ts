import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceIdentity } from './device-identity.ts';
import { DeviceStore } from './device-store.ts';

let folder = '';
let gatewaysDir = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra-store-'));
  gatewaysDir = join(folder, 'state', 'gateways');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const IDENTITY: DeviceIdentity = {
  gateway: 'local',
  address: '127.0.0.1:7443',
  deviceId: '01TEST',
  deviceName: 'laptop',
  key: 'a key',
  certificate: 'a certificate',
  authorities: ['an authority'],
  authorityId: 'ab'.repeat(16),
  notBefore: '2026-01-01T00:00:00.000Z',
  notAfter: '2026-01-02T00:00:00.000Z',
};

describe('the device store', () => {
  it('knows nobody before the first pairing', async () => {
    const store = new DeviceStore(gatewaysDir);
    expect(await store.load('local')).toBeUndefined();
    expect(await store.names()).toEqual([]);
  });

  it(
    'gives back what was saved, and only its owner can read it',
    verifies('client:key-and-certificate-fit'),
    async () => {
      const store = new DeviceStore(gatewaysDir);
      await store.save(IDENTITY);
      expect(await store.load('local')).toEqual(IDENTITY);
      expect(((await stat(gatewaysDir)).mode & 0o777).toString(8)).toBe('700');
      const file = await stat(join(gatewaysDir, 'local.json'));
      expect((file.mode & 0o777).toString(8)).toBe('600');
    },
  );

  it(
    'replaces key and certificate as one, and leaves no drafts behind',
    verifies('client:key-and-certificate-fit'),
    async () => {
      const store = new DeviceStore(gatewaysDir);
      const pairs = Array.from({ length: 20 }, (_, place) => `${place}`);
      const seen: (readonly [string, string])[] = [];
      const reading = (async () => {
        for (let reads = 0; reads < 60; reads += 1) {
          const found = await store.load('local');
          if (found !== undefined) seen.push([found.key, found.certificate]);
        }
      })();
      for (const pair of pairs) await store.save({ ...IDENTITY, key: pair, certificate: pair });
      await reading;
      expect(seen.filter(([key, certificate]) => key !== certificate)).toEqual([]);
      expect(await readdir(gatewaysDir)).toEqual(['local.json']);
    },
  );

  it(
    'does not use a file that others can read',
    verifies('client:key-and-certificate-fit'),
    async () => {
      const store = new DeviceStore(gatewaysDir);
      await store.save(IDENTITY);
      const file = join(gatewaysDir, 'local.json');
      await chmod(file, 0o640);
      await expect(store.load('local')).rejects.toMatchObject({
        code: 'HOME_UNSAFE',
        help: `take their rights away with \`chmod 600 '${file}'\``,
      });
    },
  );

  it('does not write into a directory that others can enter', async () => {
    await mkdir(gatewaysDir, { recursive: true });
    await chmod(gatewaysDir, 0o750);
    const saving = new DeviceStore(gatewaysDir).save(IDENTITY);
    await expect(saving).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
    expect(await readdir(gatewaysDir)).toEqual([]);
  });

  it('follows no link', async () => {
    await mkdir(gatewaysDir, { recursive: true, mode: 0o700 });
    const real = join(folder, 'real.json');
    await writeFile(real, '{}', { mode: 0o600 });
    await symlink(real, join(gatewaysDir, 'local.json'));
    const loading = new DeviceStore(gatewaysDir).load('local');
    await expect(loading).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
  });

  it('reads no more than an identity can be long', async () => {
    await mkdir(gatewaysDir, { recursive: true, mode: 0o700 });
    const file = join(gatewaysDir, 'local.json');
    await writeFile(file, ' '.repeat(256 * 1024 + 1), { mode: 0o600 });
    const loading = new DeviceStore(gatewaysDir).load('local');
    await expect(loading).rejects.toMatchObject({
      code: 'HOME_UNSAFE',
      message: `\`${file}\` cannot be used: EFBIG`,
    });
  });

  it('names what the system has against its directory', async () => {
    await mkdir(join(folder, 'state'));
    await writeFile(gatewaysDir, '');
    const saving = new DeviceStore(gatewaysDir).save(IDENTITY);
    await expect(saving).rejects.toMatchObject({
      code: 'HOME_UNSAFE',
      message: `\`${gatewaysDir}\` cannot be used: EEXIST`,
    });
  });

  it.each(['{', '[]', '{}', '{"format":"palyra.device.v1"}'])(
    'does not guess at a damaged file: %s',
    async (text) => {
      await mkdir(gatewaysDir, { recursive: true, mode: 0o700 });
      await writeFile(join(gatewaysDir, 'local.json'), text, { mode: 0o600 });
      const loading = new DeviceStore(gatewaysDir).load('local');
      await expect(loading).rejects.toMatchObject({ code: 'NOT_PAIRED' });
    },
  );

  it.each(['', '..', 'a/b', '.x', 'A', 'x'.repeat(64), 'lock.sqlite/..'])(
    'refuses the name `%s`, which could lead elsewhere',
    async (gateway) => {
      const saving = new DeviceStore(gatewaysDir).save({ ...IDENTITY, gateway });
      await expect(saving).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('lists and forgets', async () => {
    const store = new DeviceStore(gatewaysDir);
    for (const gateway of ['office', 'home']) await store.save({ ...IDENTITY, gateway });
    expect(await store.names()).toEqual(['home', 'office']);
    await store.forget('home');
    expect(await store.names()).toEqual(['office']);
  });

  it('lets one at a time hold the lock', async () => {
    const order: string[] = [];
    const work = async (name: string) => {
      using _held = await new DeviceStore(gatewaysDir).lock();
      order.push(`${name} in`);
      await readFile(join(gatewaysDir, 'lock.sqlite'));
      order.push(`${name} out`);
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    const names = order.map((step) => step.split(' ')[0]);
    expect(names.filter((_, place) => place % 2 === 0)).toEqual(
      names.filter((_, place) => place % 2 === 1),
    );
  });
});
