import { mkdtempDisposable, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareBrowser } from './shared-stage.ts';

const browser = shareBrowser();

it(
  'a session is begun in any of the folders that the gateway may work in',
  verifies('runs:one-workspace-a-session'),
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-further-'));
    const further = await realpath(folder.path);
    const settings = `[runs]\nworkspaces = ["${further}"]\n`;
    await using stage = await openStage([[{ text: 'Here I am.\n' }]], {
      browser: browser(),
      settings,
    });
    await using visit = await stage.open('/chat/new');
    const { page } = visit;
    const choice = page.getByRole('combobox', { name: 'Workspace' });
    await expectPage(choice).toHaveValue(await realpath(stage.workspace));
    await choice.selectOption(further);
    await page.getByRole('textbox', { name: 'What to do' }).fill('begin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/0/);
    const { sessions } = await stage.client.sessions.listSessions({});
    expect(sessions.map(({ workspace }) => workspace)).toEqual([further]);
    await expectPage(page.getByText('Here I am.')).toBeVisible();
    expect(visit.complaints).toEqual([]);
  },
);
