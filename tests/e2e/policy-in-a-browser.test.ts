import type { Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { type PalyraClient, createClient } from '@palyra/client';
import { DeviceKind, PolicyLayer, Role } from '@palyra/protocol';
import { openConsoleBrowser, verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Workspace, openWorkspace, pairDevice } from './workspace.ts';

const NO_READING = `@id("no-reading") @says("x")
forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.read");
`;
const READ_ALL = `@id("all-reading") @says("x")
permit (principal, action == Action::"tool.execute", resource == Tool::"fs.read");
`;

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
}, 60_000);
afterAll(() => workspace[Symbol.asyncDispose]());

/** The console of a new member with that role, as a page of theirs speaks to it. */
async function consoleOf(name: string, role: Role): Promise<PalyraClient> {
  const { gateway, owner, doors } = workspace;
  await gateway.identity.members.add(name, role, owner);
  const device = { name: `cli of ${name}`, kind: DeviceKind.CLI, member: name };
  const own = createClient(await pairDevice(workspace, device));
  const { secret } = await own.console.createConsoleLink({});
  const origin = doors.console ?? '';
  const browser = await openConsoleBrowser({ origin, link: secret });
  const prove: Interceptor = (next) => async (request) => {
    const proof = await browser.headersFor('POST', new URL(request.url).pathname);
    for (const [header, value] of Object.entries(proof)) request.header.set(header, value);
    return await next(request);
  };
  return createClient(
    createConnectTransport({
      baseUrl: origin,
      httpVersion: '1.1',
      acceptCompression: [],
      interceptors: [prove],
    }),
  );
}

function files(text: string) {
  const team = { layer: PolicyLayer.OPERATOR, name: 'team.cedar', text };
  return { candidate: { case: 'files' as const, value: { files: [team] } } };
}

/** A comparison takes a process, which a busy machine is slow to start. */
const PATIENT = { timeoutMs: 60_000 };

describe('rules in a browser', () => {
  it(
    'are read, checked, tried, compared, replayed and applied by an admin',
    { ...verifies('console:policy'), timeout: 120_000 },
    async () => {
      const { policy } = await consoleOf('ada', Role.ADMIN);
      const before = await policy.getPolicy({}, PATIENT);
      expect(before.files.some(({ layer }) => layer === PolicyLayer.BUILT_IN)).toBe(true);

      const checked = await policy.checkPolicy({ candidate: files('permit (') }, PATIENT);
      expect(checked.problems).toMatchObject([{ file: 'team.cedar', line: 1 }]);
      const tested = await policy.testPolicy({ candidate: files(NO_READING) }, PATIENT);
      expect(tested).toMatchObject({ results: [], problems: [] });
      const { difference } = await policy.comparePolicies({ new: files(NO_READING) }, PATIENT);
      expect(difference).toMatchObject({ addedRules: ['no-reading'], gains: [] });
      const replayed = await Array.fromAsync(
        policy.backtestPolicy({ candidate: files(NO_READING) }),
      );
      expect(replayed.at(-1)?.report).toMatchObject({ widened: 0n });

      const applied = await policy.applyPolicy({ candidate: files(NO_READING) }, PATIENT);
      const after = await policy.getPolicy({}, PATIENT);
      expect(after.policySetHash).toBe(applied.policySetHash);
      expect(after.files).toContainEqual(
        expect.objectContaining({
          layer: PolicyLayer.OPERATOR,
          name: 'team.cedar',
          text: NO_READING,
        }),
      );
      await expect(
        policy.applyPolicy({ candidate: files(READ_ALL) }, PATIENT),
      ).rejects.toMatchObject({ code: 'POLICY_WIDENED' });
    },
  );

  it(
    'are looked at and never changed by an operator, and neither is the machine',
    { ...verifies('console:roles'), timeout: 60_000 },
    async () => {
      const { policy, sandbox, config, doctor } = await consoleOf('oscar', Role.OPERATOR);
      await policy.checkPolicy({ candidate: files(NO_READING) }, PATIENT);
      await sandbox.getSandbox({});
      await config.getConfig({});
      await doctor.diagnose({});
      const refused = { code: 'PERMISSION_DENIED' };
      await expect(policy.applyPolicy({ candidate: files('') })).rejects.toMatchObject(refused);
      await expect(Array.fromAsync(sandbox.proveSandbox({}))).rejects.toMatchObject(refused);
    },
  );
});
