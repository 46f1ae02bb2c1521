import { verifies } from '@palyra/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(async (browser) => {
  const read = { tool: 'fs.list', arguments: { path: '.' } };
  return await openStage([[read], [{ text: 'done\n' }]], { browser });
});
beforeAll(async () => {
  for await (const _ of stage().client.runs.startRun({ prompt: 'look' })) void _;
});

const WIDER = `@id("anything-from-anywhere") @says("web pages are read")
permit (principal, action == Action::"tool.execute", resource == Tool::"http.fetch");
`;

describe('the policy page', () => {
  it(
    'shows the rules in force, and which of them decided lately',
    verifies('console:rules-in-force'),
    async () => {
      await using visit = await stage().open('/policy');
      const { page } = visit;
      await expectPage(page.getByText('Built in (')).toBeVisible();
      await expectPage(page.getByText(/decided \d+ ×/).first()).toBeVisible();
      await page.getByLabel('Find a rule').fill('agents-do-not-run-palyra');
      await expectPage(
        page.getByText('an agent does not run the programs that govern it', { exact: true }),
      ).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );

  it('explains a call that nobody made', verifies('console:policy'), async () => {
    await using visit = await stage().open('/policy');
    const { page } = visit;
    await page.getByRole('tab', { name: 'Explain a call' }).click();
    await page.getByLabel('Tool', { exact: true }).fill('process.run');
    await page.getByLabel('Arguments, as JSON').fill('{"command":"palyra","args":[]}');
    await page.getByRole('button', { name: 'Explain' }).first().click();
    await expectPage(page.getByRole('heading', { name: 'agents-do-not-run-palyra' })).toBeVisible();
    await page.getByLabel('Arguments, as JSON').fill('{');
    await page.getByRole('button', { name: 'Explain' }).first().click();
    await expectPage(page.getByText('the arguments are no JSON').first()).toBeVisible();
  });

  it(
    'lets nobody apply what was written since the last check',
    verifies('console:policy'),
    async () => {
      await using visit = await stage().open('/policy#edit');
      const { page } = visit;
      const area = page.getByRole('textbox', { name: 'operator.cedar' });
      const apply = page.getByRole('button', { name: 'Apply…' });
      await area.fill(WIDER);
      await expectPage(apply).toBeEnabled();
      // From now on nobody has stopped writing for long enough.
      await page.evaluate('globalThis.setTimeout = () => 0');
      await area.fill(`${WIDER}permit (principal`);
      await expectPage(page.getByText('Checking…')).toBeVisible();
      await expectPage(apply).toBeDisabled();
    },
  );

  it(
    'checks a draft while it is written, shows what it widens, and wants that to be meant',
    verifies('console:policy'),
    async () => {
      await using visit = await stage().open('/policy');
      const { page } = visit;
      const before = (await stage().client.policy.getPolicy({})).policySetHash;
      await page.getByRole('tab', { name: 'Edit and try' }).click();
      const area = page.getByRole('textbox', { name: 'operator.cedar' });
      await area.fill('permit (principal');
      await expectPage(page.getByRole('alert').getByText('operator.cedar')).toBeVisible();
      await area.fill(WIDER);
      await expectPage(page.getByText('1 rule, fits the schema')).toBeVisible();
      await page.getByRole('button', { name: 'Decide the past again' }).click();
      await expectPage(page.getByText('The past, decided again')).toBeVisible();
      await page.getByRole('button', { name: 'Apply…' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByRole('table', { name: '' }).first()).toBeVisible();
      const put = dialog.getByRole('button', { name: 'Put in force' });
      await expectPage(put).toBeDisabled();
      await dialog.getByLabel('These gains are meant').check();
      await put.click();
      await expectPage(page.getByText('The rules are in force').first()).toBeVisible();
      const after = await stage().client.policy.getPolicy({});
      expect(after.policySetHash).not.toBe(before);
      expect(after.rules.map(({ id }) => id)).toContain('anything-from-anywhere');
      expect(visit.complaints).toEqual([]);
    },
  );
});
