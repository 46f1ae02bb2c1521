import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Caller } from '@palyra/gateway';
import { PERMISSIONS, isForPeopleOnly, permissionWord, permissionsOf } from '@palyra/kernel';
import {
  DeviceKind,
  OpenTo,
  PrincipalKind,
  Role,
  open_to as openTo,
  requires,
} from '@palyra/protocol';
import { testGateway, verifies } from '@palyra/testkit';
import { allServices } from '@palyra/transport';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyService } from '../../tools/guards/check-permissions.ts';
import {
  type Headers,
  type Workspace,
  attempt,
  consolePort,
  openWorkspace,
  pairDevice,
} from './workspace.ts';

const METHODS = everyService().flatMap(({ methods }) => methods);
const REFUSALS = ['PERMISSION_DENIED', 'UNAUTHENTICATED', 'DEVICE_REVOKED', 'ORIGIN_REFUSED'];

const nameOf = (method: DescMethod) => `${method.parent.name}.${method.name}`;

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
}, 60_000);
afterAll(() => workspace[Symbol.asyncDispose]());

it('every service of the protocol has a route', verifies('access:every-call'), () => {
  expect(
    allServices()
      .map(({ typeName }) => typeName)
      .toSorted(),
  ).toEqual(
    everyService()
      .map(({ typeName }) => typeName)
      .toSorted(),
  );
});

describe.each([
  ['operator', Role.OPERATOR],
  ['admin', Role.ADMIN],
  ['owner', Role.OWNER],
])('every call as %s', (word, role) => {
  it('is answered or refused as the table says', verifies('access:every-call'), async () => {
    const { gateway, owner } = workspace;
    const member =
      role === Role.OWNER
        ? (owner.member?.name ?? '')
        : (await gateway.identity.members.add(word, role, owner)).name;
    const device = { name: `cli of ${word}`, kind: DeviceKind.CLI, member };
    const transport = await pairDevice(workspace, device);
    const held = permissionsOf(role);
    const wrong: string[] = [];
    // Side by side: those that are let in may say nothing until something happens, and are given up.
    const streams = METHODS.filter(({ methodKind }) => methodKind !== 'unary');
    const endings = new Map<DescMethod, Promise<string>>();
    for (const method of streams) endings.set(method, attempt(transport, method));
    for (const method of METHODS) {
      const ending = await (endings.get(method) ?? attempt(transport, method));
      const isRefused = REFUSALS.includes(ending);
      const isAllowed = !hasOption(method, requires) || held.has(getOption(method, requires));
      if (isRefused === isAllowed) wrong.push(`${nameOf(method)}: ${ending}`);
      if (!isAllowed) expect(ending, nameOf(method)).toBe('PERMISSION_DENIED');
    }
    expect(wrong).toEqual([]);
  });
});

describe('what is for people only', () => {
  const governing = METHODS.filter(
    (method) => hasOption(method, requires) && isForPeopleOnly(getOption(method, requires)),
  );

  it(
    'is refused to every device that acts for nobody, and to tokens, at every door',
    verifies('access:people-only'),
    async () => {
      const { members } = workspace.gateway.identity;
      const doors = await nonHumanDoors();
      const before = withoutUse(await members.export());
      expect(governing.length).toBeGreaterThan(15);
      for (const { name, transport, headers } of doors) {
        for (const method of governing) {
          const ending = await attempt(transport, method, headers);
          expect(REFUSALS, `${name}: ${nameOf(method)}: ${ending}`).toContain(ending);
        }
      }
      expect(withoutUse(await members.export())).toBe(before);
    },
  );

  it.each([PrincipalKind.TOKEN, PrincipalKind.AGENT, PrincipalKind.WORKER, PrincipalKind.DEVICE])(
    'is refused to principal kind %i even if it were given every permission',
    verifies('access:people-only'),
    async (kind) => {
      // With rules that refuse nothing: what is left is what no rule gives.
      await using test = await testGateway();
      const all = new Set(PERMISSIONS.keys());
      const caller: Caller = {
        principal: 'agent',
        actor: 'agent',
        kind,
        permissions: all,
        channel: 'api',
      };
      for (const permission of all) {
        const asked = test.gateway.policy.authorise(caller, permission);
        if (isForPeopleOnly(permission)) {
          await expect(asked, permissionWord(permission)).rejects.toMatchObject({
            code: 'PERMISSION_DENIED',
          });
        } else {
          await asked;
        }
      }
    },
  );
});

describe('a stranger', () => {
  it('can make no call at the console port', verifies('identity:no-stranger'), async () => {
    // Pairing is for the device port: a browser on loopback has nothing to pair.
    const closed = METHODS.filter((method) => getOption(method, openTo) !== OpenTo.STRANGERS);
    const endings = new Set<string>();
    for (const method of closed) endings.add(await attempt(consolePort(workspace), method));
    expect(closed.length).toBe(METHODS.length - 2);
    expect([...endings]).toEqual(['UNAUTHENTICATED']);
  });
});

interface Ingress {
  readonly name: string;
  readonly transport: Transport;
  readonly headers: Headers;
}

/** Every way in for whatever is not a person. */
async function nonHumanDoors(): Promise<readonly Ingress[]> {
  const { gateway, owner } = workspace;
  const member = owner.member?.name ?? '';
  const kinds = [
    ['worker', DeviceKind.WORKER],
    ['browser', DeviceKind.BROWSER],
    ['node', DeviceKind.NODE],
  ] as const;
  const devices: Ingress[] = [];
  for (const [name, kind] of kinds) {
    devices.push({
      name,
      transport: await pairDevice(workspace, { name, kind, member }),
      headers: {},
    });
  }
  const scopes = [...PERMISSIONS.keys()].filter((permission) => !isForPeopleOnly(permission));
  const { secret } = await gateway.identity.tokens.create(
    {
      $typeName: 'palyra.v1.CreateTokenRequest',
      label: 'everything a token can have',
      scopes,
      lifetimeSeconds: 0n,
      rate: { $typeName: 'palyra.v1.TokenRate', perMinute: 60_000, burst: 10_000 },
    },
    owner,
  );
  const headers = { authorization: `Bearer ${secret}` };
  const cli = await pairDevice(workspace, { name: 'carrier', kind: DeviceKind.CLI, member });
  return [
    ...devices,
    { name: 'token at the console port', transport: consolePort(workspace), headers },
    { name: 'token over the device of an owner', transport: cli, headers },
    ...devices.map(({ name, transport }) => ({
      name: `token over ${name}`,
      transport,
      headers,
    })),
  ];
}

/** Tokens tell when they were last used, which is all that this test may change. */
function withoutUse(registry: string): string {
  return registry.replaceAll(/,\s*"lastUsedAt":\s*"[^"]*"/g, '');
}
