import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Places, placesFor } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestAuthority, lifeOf, makeAuthority } from '../testing/authority.ts';
import { type TestGateway, type TestGatewayOptions, startGateway } from '../testing/gateway.ts';
import { openGateway } from './connect-to.ts';
import type { DeviceIdentity } from './device-identity.ts';
import { DeviceStore } from './device-store.ts';
import { acceptIssue } from './issued-certificate.ts';

const SECRET = 'S'.repeat(43);

let authority: TestAuthority;
let other: TestAuthority;
let home = '';
let places: Places;
const opened: AsyncDisposable[] = [];

beforeAll(async () => {
  [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-open-'));
  const found = placesFor({ PALYRA_HOME: home });
  if (found === undefined) throw new Error('an absolute home has places');
  places = found;
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

async function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await startGateway({ authority, ...options });
  opened.push(gateway);
  return gateway;
}

/** What a daemon leaves for its own user. */
async function openDoor({ address, passwords }: TestGateway, secret = SECRET): Promise<void> {
  await mkdir(places.doorDir, { recursive: true, mode: 0o700 });
  const door = {
    format: 'palyra.door.v1',
    address,
    console: 'http://localhost:7142',
    authorities: [Buffer.from(authority.der).toString('base64')],
  };
  await writeFile(join(places.doorDir, 'gateway.json'), JSON.stringify(door), { mode: 0o600 });
  await writeFile(join(places.doorDir, 'secret'), `${secret}\n`, { mode: 0o600 });
  passwords.add(secret);
}

function open(gateway?: string) {
  return openGateway({ places, gateway, deviceName: 'laptop' });
}

async function stored(days: number, issuer = authority): Promise<DeviceIdentity> {
  const { der, key } = await issuer.device(lifeOf(days));
  const credential = acceptIssue({ certificate: der, authorities: [issuer.der], key });
  const gateway = { gateway: 'local', address: '127.0.0.1:1' };
  const identity = { ...gateway, deviceId: '01TEST', deviceName: 'laptop', ...credential };
  await new DeviceStore(places.gatewaysDir).save(identity);
  return identity;
}

describe('the gateway on this machine', () => {
  it('is enrolled at without questions, once', async () => {
    const gateway = await start();
    await openDoor(gateway);
    await using first = await open();
    expect((await first.client.health.getHealth({})).version).toBe('0.1.0');
    await using second = await open();
    expect(second.identity).toEqual(first.identity);
    expect(gateway.calls.filter((call) => call === 'begin')).toHaveLength(1);
  });

  it('is enrolled at once also by programs that start at the same moment', async () => {
    const gateway = await start();
    await openDoor(gateway);
    const several = await Promise.all([open(), open(), open(), open()]);
    const keys = several.map(({ identity }) => identity.key);
    expect(new Set(keys).size).toBe(1);
    expect(gateway.calls.filter((call) => call === 'begin')).toHaveLength(1);
  });

  it('needs no connection to be found when this device is known there', async () => {
    const gateway = await start();
    await openDoor(gateway);
    const identity = await stored(1);
    await using found = await open();
    expect(found.identity).toEqual({ ...identity, address: gateway.address });
    expect(gateway.calls).toEqual([]);
  });

  it('is tried again with the next secret when somebody else used the first', async () => {
    const gateway = await start();
    await openDoor(gateway, 'stale');
    gateway.passwords.clear();
    const reading = open();
    await expect(reading).rejects.toMatchObject({ code: 'PAIRING_ENDED' });
    expect(gateway.calls.filter((call) => call === 'begin')).toHaveLength(3);
  });

  it('is enrolled at again when the certificate has expired', async () => {
    const gateway = await start();
    await openDoor(gateway);
    const expired = await stored(-1 / 86_400);
    await using found = await open();
    expect(found.identity.key).not.toBe(expired.key);
  });

  it('says how to become a device again when it does not know this one any more', async () => {
    const gateway = await start({ devicesOf: other });
    await openDoor(gateway);
    await stored(1);
    await using found = await open();
    await expect(found.client.health.getHealth({})).rejects.toMatchObject({
      code: 'NOT_PAIRED',
      help: 'enrol this device anew with `palyra pair local`',
    });
  });

  it('is enrolled at again when it was set up anew', async () => {
    const gateway = await start();
    await openDoor(gateway);
    await stored(1, other);
    await using found = await open();
    expect(found.identity.authorityId).toBe(authority.id);
  });

  it('is enrolled at again when what was known about it is damaged, which is kept', async () => {
    await openDoor(await start());
    await mkdir(places.gatewaysDir, { recursive: true, mode: 0o700 });
    const file = join(places.gatewaysDir, 'local.json');
    await writeFile(file, '{', { mode: 0o600 });
    const told: string[] = [];
    await using found = await openGateway({
      places,
      deviceName: 'laptop',
      onSetAside: (path) => told.push(path),
    });
    expect((await found.client.health.getHealth({})).version).toBe('0.1.0');
    expect(told).toEqual([`${file}.damaged`]);
    expect(await readFile(`${file}.damaged`, 'utf8')).toBe('{');
  });

  it('is not looked for where something else than a directory is', async () => {
    await writeFile(join(home, 'state'), '');
    await expect(open()).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
  });

  it('says how to start it when it has never run', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
    await expect(open('local')).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
  });

  it('does not take a door that others may have written', async () => {
    await openDoor(await start());
    await rm(join(places.doorDir, 'gateway.json'));
    await writeFile(join(places.doorDir, 'gateway.json'), '{}', { mode: 0o666 });
    await expect(open()).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
  });
});

describe('a certificate of which a third or less is left', () => {
  const due = async (address: string) => {
    const { der, key } = await authority.device({
      notBefore: new Date(Date.now() - 20 * 3_600_000),
      notAfter: new Date(Date.now() + 4 * 3_600_000),
    });
    const credential = acceptIssue({ certificate: der, authorities: [authority.der], key });
    const identity = { deviceId: '01TEST', deviceName: 'laptop', gateway: 'office', address };
    await new DeviceStore(places.gatewaysDir).save({ ...identity, ...credential });
  };

  it(
    'is renewed beside the command, for a new key, on the same connection',
    verifies('client:renews-itself'),
    async () => {
      const gateway = await start();
      await due(gateway.address);
      const before = await new DeviceStore(places.gatewaysDir).load('office');
      {
        await using found = await open();
        await found.client.health.getHealth({});
      }
      const after = await new DeviceStore(places.gatewaysDir).load('office');
      expect(after?.key).not.toBe(before?.key);
      expect(after?.notAfter.localeCompare(before?.notAfter ?? '')).toBe(1);
      expect(gateway.calls.filter((call) => call === 'connection')).toHaveLength(1);
    },
  );

  it(
    'is renewed by one of several programs, and the others take what it got',
    verifies('client:renews-itself', 'client:key-and-certificate-fit'),
    async () => {
      const gateway = await start();
      await due(gateway.address);
      const several = await Promise.all([open(), open(), open()]);
      const keys: (string | undefined)[] = [];
      for (const { renewal } of several) keys.push((await renewal)?.identity.key);
      expect(new Set(keys).size).toBe(1);
      expect(gateway.calls.filter((call) => call === 'renew')).toHaveLength(1);
    },
  );

  it(
    'stays in use when the gateway cannot renew it now',
    verifies('client:renews-itself'),
    async () => {
      const gateway = await start({ renews: 'never' });
      await due(gateway.address);
      const before = await readFile(join(places.gatewaysDir, 'office.json'), 'utf8');
      await using found = await open();
      expect((await found.client.health.getHealth({})).version).toBe('0.1.0');
      expect(await found.renewal).toMatchObject({ at: 'kept' });
      expect(await readFile(join(places.gatewaysDir, 'office.json'), 'utf8')).toBe(before);
    },
  );
});

describe('a distant gateway', () => {
  const paired = async (gateway: string, days = 1) => {
    const identity = await stored(days);
    const store = new DeviceStore(places.gatewaysDir);
    await store.save({ ...identity, gateway });
    await store.forget('local');
  };

  it('is the one that is meant when it is the only one', async () => {
    await paired('office');
    await using found = await open();
    expect(found.identity.gateway).toBe('office');
  });

  it('has to be named when there are several', async () => {
    await paired('office');
    await paired('home');
    await expect(open()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      help: 'name one with `--gateway` or `PALYRA_GATEWAY`: `home`, `office`',
    });
    await using found = await open('home');
    expect(found.identity.gateway).toBe('home');
  });

  it('comes after the one on this machine', async () => {
    await paired('office');
    await stored(1);
    await using found = await open();
    expect(found.identity.gateway).toBe('local');
  });

  it('cannot be used with an expired certificate, and the way out is named', async () => {
    await paired('office', -1 / 86_400);
    await expect(open()).rejects.toMatchObject({
      code: 'NOT_PAIRED',
      help: 'pair again with `palyra pair 127.0.0.1:1 --as office`',
    });
  });

  it('cannot be used without a pairing', async () => {
    await expect(open('nowhere')).rejects.toMatchObject({ code: 'NOT_PAIRED' });
  });
});
