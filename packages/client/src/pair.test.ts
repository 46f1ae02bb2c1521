import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Places, placesFor } from '@palyra/kernel';
import { DeviceKind } from '@palyra/protocol';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestAuthority, makeAuthority } from '../testing/authority.ts';
import { type TestGateway, startGateway } from '../testing/gateway.ts';
import { pairWith } from './pair.ts';

const PIN = '123456';

let authority: TestAuthority;
let foreign: TestAuthority;
let home = '';
let places: Places;
const opened: AsyncDisposable[] = [];

beforeAll(async () => {
  [authority, foreign] = await Promise.all([makeAuthority(), makeAuthority()]);
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-pair-'));
  const found = placesFor({ PALYRA_HOME: home });
  if (found === undefined) throw new Error('an absolute home has places');
  places = found;
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

async function start(of: TestAuthority): Promise<TestGateway> {
  const gateway = await startGateway({ authority: of });
  opened.push(gateway);
  gateway.passwords.add(PIN);
  return gateway;
}

function pairAs(gateway: string, { address }: TestGateway) {
  return pairWith({
    places,
    gateway,
    addresses: [address],
    secret: { kind: 'pin', pin: PIN },
    name: 'laptop',
    kind: DeviceKind.CLI,
    signal: new AbortController().signal,
  });
}

const keptAs = (gateway: string) => readFile(join(places.gatewaysDir, `${gateway}.json`), 'utf8');

describe('the name of a gateway on this device', () => {
  it('never comes to mean another gateway, and nothing is said to that one', async () => {
    await pairAs('office', await start(authority));
    const before = await keptAs('office');
    const stranger = await start(foreign);
    await expect(pairAs('office', stranger)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '`office` is another gateway to this device',
      help: expect.stringContaining('choose another name with `--as`'),
    });
    expect(await keptAs('office')).toBe(before);
    expect(stranger.calls).not.toContain('begin');
  });

  it('may be used again for the same gateway, and others get other names', async () => {
    const gateway = await start(authority);
    const first = await pairAs('office', gateway);
    gateway.passwords.add(PIN);
    const second = await pairAs('office', gateway);
    expect(second.key).not.toBe(first.key);
    const other = await pairAs('home', await start(foreign));
    expect(other.authorityId).toBe(foreign.id);
  });
});
