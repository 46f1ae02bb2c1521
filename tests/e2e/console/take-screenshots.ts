import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { ApprovalStatus } from '@palyra/protocol';
import { setup } from '../../../tools/setup/built-programs.ts';
import { ROOT, type Step } from '../harness.ts';
import { type ConsoleStage, openStage } from './harness.ts';

/**
 * `node tests/e2e/console/take-screenshots.ts`: the pictures of docs/ and the README, from the real thing.
 * With a folder: every page, in every look, for whoever wants to see what they did.
 */
const [, , folder] = process.argv;
const PICTURES = folder ?? join(ROOT, 'docs/pictures');
const SIZE = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 390, height: 844 } };

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
const { runs } = await stage.client.runs.listRuns({ limit: 2 });
const ended = runs.at(-1);
if (folder === undefined) {
  for (const theme of ['light', 'dark'] as const) await takeForDocs(theme);
  await takePhone();
} else {
  await takeEvery('light', { ...SIZE, colorScheme: 'light' });
  await takeEvery('dark', { ...SIZE, colorScheme: 'dark' });
  await takeEvery('phone', { ...PHONE, colorScheme: 'light' });
}

async function takeEvery(look: string, options: BrowserContextOptions): Promise<void> {
  await using visit = await stage.open('/', options);
  const places = [
    ['home', '/'],
    ['chat', `/chat/${ended?.sessionId}`],
    ['runs', '/runs'],
    ['run', `/runs/${ended?.runId}`],
    ['approvals', '/approvals'],
    ['approval', `/approvals/${waiting}`],
    ['grants', '/approvals#grants'],
    ['policy', '/policy'],
    ['explain', '/policy#explain'],
    ['edit', '/policy#edit'],
    ['journal', '/journal'],
    ['sandbox', '/sandbox'],
    ['devices', '/devices'],
    ['access', '/access'],
    ['members', '/access#members'],
    ['tokens', '/access#tokens'],
    ['settings', '/settings'],
    ['doctor', '/doctor'],
  ] as const;
  for (const [name, path] of places) await take(visit.page, path, `${name}-${look}.png`);
}

async function takeForDocs(colorScheme: 'light' | 'dark'): Promise<void> {
  const ending = colorScheme === 'light' ? '' : '-dark';
  await using visit = await stage.open('/', { ...SIZE, colorScheme });
  const { page } = visit;
  const places = [
    ['home', '/'],
    ['run', `/runs/${ended?.runId}`],
    ['approval', `/approvals/${waiting}`],
    ['policy', '/policy'],
    ['journal', '/journal'],
    ['sandbox', '/sandbox'],
  ] as const;
  for (const [name, path] of places) await take(page, path, `console-${name}${ending}.png`);
}

async function takePhone(): Promise<void> {
  await using visit = await stage.open('/', { ...PHONE, colorScheme: 'light' });
  await take(visit.page, `/approvals/${waiting}`, 'console-phone.png');
}

async function take(page: Page, path: string, file: string): Promise<void> {
  await page.goto(`${stage.origin}${path}`);
  await page.getByRole('main').waitFor();
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
