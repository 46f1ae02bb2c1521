import { permissionsOf } from '@palyra/kernel';
import { Permission, Role } from '@palyra/protocol';
import { deviceClients, inProcessClient, ownerCaller, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openHouse } from '../../testing/house.ts';

const NOBODY = '01JZ8Q6Y7D0M3W5K9RB2XN4TFC';

describe('names of members', () => {
  it('are told to an operator for ids that they have, and nothing else of anybody', async () => {
    await using house = await openHouse();
    const { members } = deviceClients(house.device).grpc;
    const { member: ada } = await members.addMember({ name: 'ada', role: Role.ADMIN });
    await members.addMember({ name: 'bob', role: Role.OPERATOR });
    const userId = ada?.userId ?? '';
    const operator = inProcessClient(house.test.gateway, ownerCaller(Role.OPERATOR)).members;
    const told = await operator.nameMembers({ userIds: [userId, NOBODY] });
    expect(told.names).toEqual({ [userId]: 'ada' });
    const refused = { code: 'PERMISSION_DENIED' };
    await expect(operator.listMembers({})).rejects.toMatchObject(refused);
  });

  it('are told to nobody who may not read the journal', async () => {
    await using test = await testGateway();
    const permissions = new Set(permissionsOf(Role.OWNER));
    permissions.delete(Permission.OBSERVABILITY_READ);
    const { members } = inProcessClient(test.gateway, { ...ownerCaller(), permissions });
    const refused = { code: 'PERMISSION_DENIED' };
    await expect(members.nameMembers({ userIds: [NOBODY] })).rejects.toMatchObject(refused);
  });

  it.each([
    ['a name', ['ada']],
    ['more ids than a page shows', Array.from({ length: 101 }, () => NOBODY)],
  ])('are not told for %s', async (_, userIds) => {
    await using test = await testGateway();
    const { members } = inProcessClient(test.gateway);
    const refused = { code: 'INVALID_INPUT' };
    await expect(members.nameMembers({ userIds })).rejects.toMatchObject(refused);
  });
});
