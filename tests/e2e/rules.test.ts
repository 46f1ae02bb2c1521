import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PalyraClient, createClient } from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import { DeviceKind } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Workspace, openWorkspace, pairDevice } from './workspace.ts';

let workspace: Workspace;
let client: PalyraClient;
beforeEach(async () => {
  workspace = await openWorkspace();
  const member = workspace.owner.member?.name ?? '';
  client = createClient(await pairDevice(workspace, { name: 'a', kind: DeviceKind.CLI, member }));
}, 60_000);
afterEach(() => workspace[Symbol.asyncDispose]());

async function forbid(action: string): Promise<void> {
  const directory = join(workspace.test.home.places.configDir, 'policies');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const text = `@id("closed-today")\n@says("closed today")\nforbid (principal, action == Action::"${action}", resource);\n`;
  await writeFile(join(directory, 'today.cedar'), text, { mode: 0o600 });
  await workspace.gateway.policy.desk.reload('test');
}

describe('a rule about the gateway itself', () => {
  it(
    'takes a permission away from whoever has it by role, and ends what is open',
    verifies('policy:control-plane'),
    async () => {
      const tail = client.journal.tailJournal({ last: 1, follow: true })[Symbol.asyncIterator]();
      await tail.next();
      const rest = (async () => {
        for (;;) if ((await tail.next()).done === true) return;
      })();
      await forbid('observability.read');
      await expect(rest).rejects.toBeInstanceOf(PalyraError);
      await expect(client.journal.getEntry({ id: '1' })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining('closed-today'),
      });
      // What it says nothing about goes on, so that people can mend it.
      expect((await client.health.getHealth({})).policy?.mode).toBe('ask');
      await client.policy.reloadPolicy({});
    },
  );

  it('cannot give what a role does not have', verifies('policy:rules-only-narrow'), async () => {
    const { gateway, owner, test } = workspace;
    const directory = join(test.home.places.configDir, 'policies');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const text =
      '@id("everything")\n@says("everybody may everything")\npermit (principal, action, resource);\n';
    await writeFile(join(directory, 'all.cedar'), text, { mode: 0o600 });
    await gateway.policy.desk.reload('test');
    const operator = await gateway.identity.members.add('olga', 1, owner);
    const device = { name: 'b', kind: DeviceKind.CLI, member: operator.name };
    const limited = createClient(await pairDevice(workspace, device));
    await expect(limited.members.listMembers({})).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});
