import type { Caller } from '@palyra/gateway';
import { permissionsOf } from '@palyra/kernel';
import { Permission, PrincipalKind, Role } from '@palyra/protocol';
import { inProcessClient, ownerCaller, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';

const TOKEN: Caller = {
  principal: 'token:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
  actor: 'token:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
  kind: PrincipalKind.TOKEN,
  permissions: new Set([Permission.OBSERVABILITY_READ]),
  channel: 'api',
};
const GREEDY: Caller = { ...TOKEN, permissions: permissionsOf(Role.OWNER) };
const NOBODY: Caller = { ...TOKEN, permissions: new Set([Permission.SESSIONS_USE]) };
const refused = { code: 'PERMISSION_DENIED' };

describe('whoever only looks', () => {
  it.each([
    ['an operator', ownerCaller(Role.OPERATOR)],
    ['an admin', ownerCaller(Role.ADMIN)],
    ['the owner', ownerCaller()],
    ['a token for looking', TOKEN],
  ])('sees sandboxes, configuration and diagnosis as %s', async (_, caller) => {
    await using test = await testGateway();
    const { sandbox, config, doctor } = inProcessClient(test.gateway, caller);
    await expect(sandbox.getSandbox({})).resolves.toMatchObject({ sandbox: { tiers: [] } });
    await expect(config.getConfig({})).resolves.toMatchObject({ sections: [] });
    await expect(doctor.diagnose({})).resolves.toMatchObject({ findings: [] });
  });

  it('sees nothing with a token that was not made for it', async () => {
    await using test = await testGateway();
    const { sandbox, config, doctor, policy } = inProcessClient(test.gateway, NOBODY);
    await expect(sandbox.getSandbox({})).rejects.toMatchObject(refused);
    await expect(config.getConfig({})).rejects.toMatchObject(refused);
    await expect(doctor.diagnose({})).rejects.toMatchObject(refused);
    await expect(policy.checkPolicy({})).rejects.toMatchObject(refused);
    await expect(policy.testPolicy({})).rejects.toMatchObject(refused);
  });
});

describe('a new proof of the sandboxes', () => {
  it('is for the owner', async () => {
    await using test = await testGateway();
    const { sandbox } = inProcessClient(test.gateway);
    const messages = await Array.fromAsync(sandbox.proveSandbox({}));
    expect(messages.at(-1)).toMatchObject({ sandbox: {} });
  });

  it.each([
    ['an operator', ownerCaller(Role.OPERATOR)],
    ['an admin', ownerCaller(Role.ADMIN)],
    ['a token for looking', TOKEN],
    ['a token that claims everything', GREEDY],
  ])('is refused to %s', async (_, caller) => {
    await using test = await testGateway();
    const { sandbox } = inProcessClient(test.gateway, caller);
    await expect(Array.fromAsync(sandbox.proveSandbox({}))).rejects.toMatchObject(refused);
  });
});
