import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { beforeAll, expect, it } from 'vitest';
import { palyra } from '../harness.ts';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const held: { runId?: string; sha256?: string } = {};

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A picture for whoever believes names: its bytes are a page with a script. */
const PAGE = `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = 'stolen'</script></svg>`;

const stage = shareStage(async (browser) => {
  const shout = `printf '%s\\n' '${PAGE}'; seq 1 20000`;
  const tool = { tool: 'process.run', arguments: { command: 'sh', args: ['-c', shout] } };
  return await openStage([[tool], [{ text: 'done\n' }]], { browser });
});
beforeAll(async () => {
  const { client } = stage();
  const images = [{ mediaType: 'image/png', data: Buffer.from(PNG, 'base64') }];
  for await (const { runId, event } of client.runs.startRun({ prompt: 'count', images })) {
    held.runId = runId;
    if (event.case === 'toolFinished') held.sha256 = event.value.artifactSha256;
    if (event.case !== 'approvalChanged' || event.value.status !== ApprovalStatus.PENDING) continue;
    const { approvalId, fingerprint } = event.value;
    const answer = ApprovalStatus.GRANTED;
    await client.approvals.answerApproval({ approvalId, fingerprint, answer });
  }
});

it(
  'a result that was too large is opened page by page, as text and nothing else',
  verifies('console:artifacts'),
  async () => {
    await using visit = await stage().open(`/runs/${held.runId}`);
    const { page } = visit;
    await page
      .getByRole('button', { name: /process\.run/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Open all/ }).click();
    const dialog = page.getByRole('dialog');
    await expectPage(dialog.getByLabel(/^Bytes 0 to/)).toContainText('<script>');
    await expectPage(dialog.getByLabel(/^Bytes 0 to/)).toContainText('\n100\n');
    await dialog.getByRole('button', { name: 'After' }).click();
    await expectPage(dialog.getByLabel(/^Bytes 65536 to/)).toContainText('20000');
    await expectPage(dialog.getByRole('button', { name: 'After' })).toBeDisabled();
    const loading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await loading).suggestedFilename()).toMatch(/^artifact-[0-9a-f]{12}\.bin$/);
    expect(await page.title()).not.toBe('stolen');
    expect(visit.complaints).toEqual([]);
  },
);

it('an image of a prompt is shown, small and whole', verifies('console:artifacts'), async () => {
  await using visit = await stage().open(`/runs/${held.runId}`);
  const { page } = visit;
  const open = page.getByRole('button', { name: /^Open the image, image\/png/ });
  await expectPage(open.locator('img')).toHaveJSProperty('naturalWidth', 1);
  await open.click();
  const whole = page.getByRole('dialog').getByAltText('Sent with the prompt');
  await expectPage(whole).toHaveJSProperty('naturalWidth', 1);
  await expectPage(whole).toHaveAttribute('src', /^blob:/);
  expect(visit.complaints).toEqual([]);
  expect(visit.strangers).toEqual([]);
});

it(
  'the command line writes the same bytes into a file',
  verifies('runs:artifacts-are-whole'),
  async () => {
    const { home, workspace } = stage();
    const file = join(workspace, 'result.txt');
    const { runId = '', sha256 = '' } = held;
    const ended = await palyra(home.path, 'runs', 'artifact', runId, sha256, '--out', file);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('wrote 106 KiB') });
    const written = await readFile(file);
    expect(createHash('sha256').update(written).digest('hex')).toBe(sha256);
    const piped = await palyra(home.path, 'runs', 'artifact', runId, sha256);
    expect(piped.stdout).toBe(written.toString());
  },
);
