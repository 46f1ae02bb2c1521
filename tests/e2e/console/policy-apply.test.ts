import { verifies } from '@palyra/testkit';
import { beforeAll, expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(async (browser) => {
  const read = { tool: 'fs.list', arguments: { path: '.' } };
  return await openStage([[read], [{ text: 'done\n' }]], { browser });
});
beforeAll(async () => {
  for await (const _ of stage().client.runs.startRun({ prompt: 'look' })) void _;
});

const FIRST = `@id("first") @says("nobody reads the web here")
forbid (principal, action == Action::"tool.execute", resource == Tool::"http.fetch");
`;
const THIRD = FIRST.replace('http.fetch', 'fs.list');
const SECOND = FIRST.replace('nobody reads', 'no agent reads');

it(
  'lines that change stand beside what they change and how the past would have gone, before they count',
  verifies('console:policy'),
  async () => {
    await using visit = await stage().open('/policy#edit');
    const { page } = visit;
    const area = page.getByRole('textbox', { name: 'operator.cedar' });
    const dialog = page.getByRole('dialog');
    const changes = dialog.getByLabel('Changes');
    const put = async () => {
      await expectPage(page.getByText('1 rule, fits the schema')).toBeVisible();
      await page.getByRole('button', { name: 'Apply…' }).click();
      await expectPage(dialog.getByText('The past, decided again')).toBeVisible();
      await expectPage(dialog.getByText('nobody gains anything')).toBeVisible();
    };
    await area.fill(FIRST);
    await put();
    await expectPage(changes).toContainText('--- /dev/null');
    await expectPage(changes).toContainText('+forbid (principal');
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await expectPage(page.getByText('The rules are in force').first()).toBeVisible();
    await expectPage(page.getByText('as in force', { exact: true })).toBeVisible();

    await area.fill(SECOND);
    await put();
    const [before, after] = [
      changes.getByText('nobody reads'),
      changes.getByText('no agent reads'),
    ];
    await expectPage(before).toContainText('-@id("first")');
    await expectPage(after).toContainText('+@id("first")');
    await expectPage(changes).not.toContainText('-forbid');
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('button', { name: 'Compare with what is in force' }).click();
    await expectPage(page.getByLabel('Changes').getByText('no agent reads')).toBeVisible();

    await area.fill(THIRD);
    const past = page.getByRole('region', { name: 'Changed decisions' });
    // Whose calls they were, as everywhere else: by name.
    const { name, principal } = await stage().client.identity.getCaller({});
    await expectPage(async () => {
      await page.getByRole('button', { name: 'Decide the past again' }).click();
      await expectPage(past).toContainText('fs.list', { timeout: 5_000 });
    }).toPass();
    await expectPage(past).toContainText(name);
    await expectPage(past).not.toContainText(principal);
    expect(visit.complaints).toEqual([]);
  },
);
