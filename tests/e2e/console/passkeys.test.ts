import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { ApprovalStatus, Role } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Palyra } from '../harness.ts';
import { openAs } from './another-member.ts';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const SCRIPT = [
  [{ tool: 'process.run', arguments: { command: 'touch', args: ['confirmed'] } }],
  [{ tool: 'process.run', arguments: { command: 'mkdir', args: ['together'] } }],
  [{ text: 'done\n' }],
];
const RULES = `@id("touching-wants-a-passkey") @says("something is to be touched")
@gate("approval") @severity("high") @strength("passkey")
forbid (principal, action == Action::"tool.execute", resource)
when { context has process && context.process.name == "touch" }
unless { context has approval && context.approval.strengths.contains(Strength::"passkey") };

@id("folders-take-two") @says("a folder is to be made")
@gate("approval") @severity("high") @quorum("2")
forbid (principal, action == Action::"tool.execute", resource)
when { context has process && context.process.name == "mkdir" }
unless { context has approval && context.approval.count >= 2 };
`;

const held: { run?: Palyra } = {};
function run(): Palyra {
  held.run ??= new Palyra(stage().home.path, ['run', 'go']);
  return held.run;
}

const stage = shareStage((browser) => openStage(SCRIPT, { browser }));
beforeAll(async () => {
  const rules = join(stage().home.places.configDir, 'policies');
  await mkdir(rules, { mode: 0o700 });
  await writeFile(join(rules, 'strict.cedar'), RULES, { mode: 0o600 });
  await stage().client.policy.reloadPolicy({});
});
afterAll(() => {
  held.run?.child.kill('SIGKILL');
});

/** The browser's own authenticator, which says that its person is there and has proven it. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/** The question of that command. */
async function questionAbout(command: string): Promise<string> {
  const { approvals: desk } = stage().client;
  const found = { id: '' };
  await expectPage
    .poll(async () => {
      const { approvals } = await desk.listApprovals({ status: ApprovalStatus.PENDING });
      const asked = approvals.find(({ proposal }) =>
        proposal?.facts?.process?.executable.endsWith(command),
      );
      found.id = asked?.approvalId ?? '';
      return found.id;
    })
    .not.toBe('');
  return found.id;
}

describe('passkeys', () => {
  it(
    'confirm a new member, whom an open page alone does not add',
    verifies('console:open-page'),
    async () => {
      await using visit = await stage().open('/access');
      const { page } = visit;
      const { cdp, authenticatorId } = await addAuthenticator(page);
      await page.getByRole('tab', { name: 'Passkeys' }).click();
      await addPasskey(page, 'Laptop');
      await expectPage(page.getByText('last used')).toBeVisible();

      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
      await page.getByRole('tab', { name: 'Members' }).click();
      await page.getByRole('button', { name: 'Add a member' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('nina');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expectPage(page.getByText('the passkey was not used').first()).toBeVisible();
      expect((await stage().client.members.listMembers({})).members).toHaveLength(1);
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expectPage(page.getByRole('cell', { name: 'nina' })).toBeVisible();
      await stage().client.passkeys.removePasskey({ passkey: 'Laptop' });
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'are added, renamed and removed, and each change is confirmed by one of them',
    verifies('console:passkey-step-up'),
    async () => {
      await using visit = await stage().open('/access');
      const { page } = visit;
      const { cdp, authenticatorId } = await addAuthenticator(page);
      await page.getByRole('tab', { name: 'Passkeys' }).click();
      await expectPage(page.getByText('No passkey yet')).toBeVisible();
      await addPasskey(page, 'Laptop');
      const row = page.getByRole('listitem').filter({ hasText: 'last used' });
      await expectPage(row).toContainText('Laptop');
      await row.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Desk');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await expectPage(row).toContainText('Desk');

      // Whoever sits there is not who they say: nothing is removed.
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
      await row.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expectPage(page.getByText('the passkey was not used').first()).toBeVisible();
      expect((await stage().client.passkeys.listPasskeys({})).passkeys).toHaveLength(1);
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expectPage(page.getByText('No passkey yet')).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'confirm a yes where a rule wants that, and nothing else does',
    verifies('console:passkey-step-up'),
    async () => {
      run();
      const approvalId = await questionAbout('touch');
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      await addAuthenticator(page);
      await expectPage(
        page.getByText('A yes needs your passkey. You have none yet.'),
      ).toBeVisible();
      await page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(page.getByText('you have no passkey yet').first()).toBeVisible();
      await addPasskey(page, 'Laptop');
      await expectPage(page.getByText('You have none yet.')).toBeHidden();
      await page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(page.getByText('through console with a passkey')).toBeVisible();
      await questionAbout('mkdir');
      await access(join(stage().workspace, 'confirmed'));
      const { approval } = await stage().client.approvals.getApproval({ approvalId });
      expect(approval?.voices).toMatchObject([{ strength: 'passkey', channel: 'console' }]);
    },
  );
});

describe('a question to two people', () => {
  it(
    'shows who said yes, and takes the second yes of somebody else only',
    verifies('console:two-people'),
    async () => {
      const path = `/approvals/${await questionAbout('mkdir')}`;
      await using owner = await stage().open(path);
      await using other = await openAs(stage(), { name: 'bea', role: Role.OPERATOR, path });
      await expectPage(other.page.getByText('0 of 2 people said yes.')).toBeVisible();
      await expectPage(other.page.getByRole('button', { name: 'Yes, this session' })).toBeHidden();

      await owner.page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(owner.page.getByText('another person is needed')).toBeVisible();
      await expectPage(owner.page.getByRole('button', { name: 'Yes, once' })).toBeHidden();
      await expectPage(owner.page.getByRole('button', { name: 'No…' })).toBeVisible();

      await expectPage(other.page.getByText('1 of 2 people said yes.')).toBeVisible();
      await other.page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(owner.page.getByText('by bea, operator')).toBeVisible();
      expect(await run().end()).toMatchObject({ code: 0 });
      await access(join(stage().workspace, 'together'));
    },
  );
});
