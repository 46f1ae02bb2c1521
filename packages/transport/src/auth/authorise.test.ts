import { isForPeopleOnly, permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import { inProcessClient, ownerCaller, strangersClient, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { allServices } from '../connect/services.ts';
import { accessOf } from './access-of.ts';

describe('every call of the protocol', () => {
  it('declares who may make it', () => {
    const undeclared = allServices()
      .flatMap(({ methods }) => methods)
      .filter((method) => accessOf(method) === undefined);
    expect(undeclared).toEqual([]);
  });

  it('is closed to strangers but for the two of a pairing', () => {
    const open = allServices()
      .flatMap(({ methods }) => methods)
      .filter((method) => accessOf(method)?.to === 'strangers')
      .map(({ name }) => name);
    expect(open).toEqual(['BeginPairing', 'FinishPairing']);
  });
});

describe('a caller', () => {
  it('who is nobody is refused', async () => {
    await using test = await testGateway();
    const client = strangersClient(test.gateway);
    await expect(client.health.getHealth({})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(client.runs.listRuns({})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('may do what its role allows and is told which permission it lacks', async () => {
    await using test = await testGateway();
    const operator = inProcessClient(test.gateway, ownerCaller(Role.OPERATOR));
    expect((await operator.runs.listRuns({})).runs).toEqual([]);
    await expect(operator.devices.listDevices({})).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('`devices.manage`'),
    });
  });

  it('that is no person never does what is for people, whatever it was given', async () => {
    await using test = await testGateway();
    const permissions = permissionsOf(Role.OWNER);
    expect([...permissions].some(isForPeopleOnly)).toBe(true);
    for (const kind of [PrincipalKind.TOKEN, PrincipalKind.AGENT, PrincipalKind.WORKER]) {
      const client = inProcessClient(test.gateway, {
        principal: 'x',
        actor: 'x',
        kind,
        permissions,
        channel: 'api',
      });
      await expect(client.members.listMembers({})).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    }
  });

  it('without a device gets neither a certificate nor a link to the console', async () => {
    await using test = await testGateway();
    const client = inProcessClient(test.gateway);
    await expect(client.identity.renewCertificate({})).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(client.console.createConsoleLink({})).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});
