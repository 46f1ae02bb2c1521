import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ApprovalStatus } from '@palyra/protocol';
import { setup } from '../../../tools/setup/built-programs.ts';
import { ROOT, type Step } from '../harness.ts';
import { type ConsoleStage, openStage } from './harness.ts';

/** `node tests/e2e/console/take-screenshots.ts`: the pictures of docs/ and the README, from the real thing. */
const PICTURES = join(ROOT, 'docs/pictures');
const SIZE = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

const TURNS: readonly (readonly Step[])[] = [
  [
    { text: 'I will look at the folder first, then run the tests.\n' },
    { tool: 'fs.list', arguments: { path: '.' } },
  ],
  [{ tool: 'process.run', arguments: { command: 'sh', args: ['-c', 'echo 12 tests; echo ok'] } }],
  [
    { text: 'The tests pass. I will note that down.\n' },
    {
      tool: 'fs.write',
      arguments: {
        path: 'NOTES.md',
        mode: 'replace',
        content: '# Notes\n\nAll 12 tests pass.\nNothing else was changed.\n',
      },
    },
  ],
  [
    {
      text: '## Done\n\n- the folder holds **two** files\n- all 12 tests pass; see `NOTES.md`\n\n```sh\nsh -c "echo ok"\n```\n',
    },
  ],
];

await setup();
await using stage = await openStage(TURNS, { paceMs: 5 });
await writeFile(join(stage.workspace, 'README.md'), '# A small project\n');
await writeFile(join(stage.workspace, 'NOTES.md'), '# Notes\n');
await mkdir(PICTURES, { recursive: true });
await runToItsEnd(stage);
const waiting = await runToItsQuestion(stage);
for (const theme of ['light', 'dark'] as const) await takeAll(theme);
await takePhone();

async function takeAll(colorScheme: 'light' | 'dark'): Promise<void> {
  const ending = colorScheme === 'light' ? '' : '-dark';
  await using visit = await stage.open('/', { ...SIZE, colorScheme });
  const { page } = visit;
  const { runs } = await stage.client.runs.listRuns({ limit: 2 });
  const ended = runs.at(-1)?.runId ?? '';
  const places = [
    ['home', '/'],
    ['run', `/runs/${ended}`],
    ['approval', `/approvals/${waiting}`],
    ['policy', '/policy'],
    ['journal', '/journal'],
    ['sandbox', '/sandbox'],
  ] as const;
  for (const [name, path] of places) await take(page, path, `console-${name}${ending}.png`);
}

async function takePhone(): Promise<void> {
  await using visit = await stage.open('/', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
  });
  await take(visit.page, `/approvals/${waiting}`, 'console-phone.png');
}

async function take(page: Page, path: string, file: string): Promise<void> {
  await page.goto(`${stage.origin}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(PICTURES, file) });
}

/** Answers every question with yes. */
async function runToItsEnd({ client }: ConsoleStage): Promise<void> {
  for await (const { event } of client.runs.startRun({ prompt: 'Run the tests and take notes' })) {
    if (event.case !== 'approvalChanged' || event.value.status !== ApprovalStatus.PENDING) continue;
    const { approvalId, fingerprint } = event.value;
    await client.approvals.answerApproval({
      approvalId,
      fingerprint,
      answer: ApprovalStatus.GRANTED,
    });
  }
}

async function runToItsQuestion({ client }: ConsoleStage): Promise<string> {
  for await (const { event } of client.runs.startRun({ prompt: 'Run the tests once more' })) {
    if (event.case === 'approvalChanged') return event.value.approvalId;
  }
  throw new TypeError('nothing was asked');
}
