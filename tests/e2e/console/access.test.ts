import { pairWith, readLink } from '@palyra/client';
import { DeviceKind, DeviceState, Role } from '@palyra/protocol';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './accessibility.ts';
import { openAs } from './another-member.ts';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));

describe('an operator', () => {
  it(
    'is offered nothing that is not theirs, and refused it all the same',
    verifies('console:roles'),
    async () => {
      await using visit = await openAs(stage(), { name: 'olga', role: Role.OPERATOR });
      const { page } = visit;
      const menu = page.getByRole('navigation', { name: 'Main' });
      await expectPage(menu.getByRole('link', { name: 'Approvals' })).toBeVisible();
      await expectPage(menu.getByRole('link', { name: 'Devices' })).toHaveCount(0);
      await page.goto(`${stage().origin}/devices`);
      await expectPage(page.getByText('PERMISSION_DENIED').first()).toBeVisible();
      await expectPage(page.getByRole('button', { name: 'Pair a device' })).toHaveCount(0);
      await page.goto(`${stage().origin}/access`);
      await expectPage(page.getByRole('tab', { name: 'You' })).toBeVisible();
      await expectPage(page.getByRole('tab', { name: 'Tokens' })).toHaveCount(0);
      await page.goto(`${stage().origin}/sandbox`);
      await expectPage(page.getByRole('heading', { name: 'Tier C' })).toBeVisible();
      await expectPage(page.getByRole('button', { name: 'Prove again' })).toHaveCount(0);
    },
  );

  it(
    'reads the names of those whose runs and entries they may see',
    verifies('access:people-are-named'),
    async () => {
      const { client } = stage();
      await Array.fromAsync(client.runs.startRun({ prompt: 'of the owner' }));
      const { name, principal } = await client.identity.getCaller({});
      await using visit = await openAs(stage(), {
        name: 'otto',
        role: Role.OPERATOR,
        path: '/journal',
      });
      const { page } = visit;
      const main = page.getByRole('main');
      await expectPage(main.getByText(`${name} via device`).first()).toBeVisible();
      await page.goto(`${stage().origin}/runs`);
      await expectPage(main.getByText(name, { exact: true }).first()).toBeVisible();
      await expectPage(main.getByText(principal)).toHaveCount(0);
    },
  );
});

describe('a token', () => {
  it(
    'is shown once, works, and counts no more when it is revoked',
    verifies('access:token-shown-once', 'access:token-ends-at-once'),
    async () => {
      await using visit = await stage().open('/access');
      const { page } = visit;
      await page.getByRole('tab', { name: 'Tokens' }).click();
      await page.getByRole('button', { name: 'Make a token' }).click();
      await page.getByLabel('What it is for').fill('dashboard');
      await page.getByLabel('observability.read').check();
      await page.getByRole('button', { name: 'Make it' }).click();
      const secret = await page.getByLabel('token', { exact: true }).innerText();
      expect(secret).toMatch(/^pal_/);
      await page.getByRole('button', { name: 'I have it' }).click();
      const row = page.getByRole('row', { name: /dashboard/ });
      await expectPage(row).toContainText('read journal, rules and settings');
      await expectPage(row).not.toContainText('observability.read');
      expect(await page.content()).not.toContain(secret);
      expect(await statusWith(secret)).toBe(200);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await expectPage(page.getByRole('dialog')).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expectPage(page.getByRole('cell', { name: 'revoked' })).toBeVisible();
      expect(await statusWith(secret)).toBe(401);
      expect(visit.complaints).toEqual([]);
    },
  );
});

async function statusWith(secret: string): Promise<number> {
  const { status } = await fetch(`${stage().origin}/palyra.v1.HealthService/GetHealth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: '{}',
  });
  return status;
}

describe('a device', () => {
  it('is paired and revoked in the console', verifies('console:pairing'), async () => {
    await using visit = await stage().open('/devices');
    await using home = await tempHome();
    const { page } = visit;
    await page.getByRole('button', { name: 'Pair a device' }).click();
    await page.getByRole('button', { name: 'Show the code' }).click();
    await expectPage(page.getByRole('img', { name: /QR code/ })).toBeVisible();
    const command = await page.getByLabel('command', { exact: true }).innerText();
    const read = await readLink(/'(.+)'/.exec(command)?.[1] ?? '');
    if (read === undefined) throw new TypeError('the page shows no link');
    const pairing = pairWith({
      places: home.places,
      gateway: 'office',
      ...read,
      name: 'tablet',
      kind: DeviceKind.CLI,
      signal: AbortSignal.timeout(60_000),
      onWaiting: () => undefined,
    });
    const dialog = page.getByRole('dialog');
    await expectPage(dialog.getByText('tablet')).toBeVisible();
    await dialog.getByRole('button', { name: 'Let it in' }).click();
    await pairing;
    const row = page.getByRole('row', { name: /tablet/ });
    await expectPage(row).toContainText('active');
    await row.getByRole('button', { name: 'What to do with tablet' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expectPage(row).toContainText('revoked');
    const { devices } = await stage().client.devices.listDevices({});
    expect(devices.find(({ name }) => name === 'tablet')?.state).toBe(DeviceState.REVOKED);
    expect(visit.complaints).toEqual([]);
  });
});
