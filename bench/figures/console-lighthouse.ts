import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { openStage, visit } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import type { Figure } from '../figure.ts';
import { SCORE, type Run } from '../harness.ts';
import { type Audit, LIGHTHOUSE_VERSION, audit, installLighthouse } from '../rig/lighthouse.ts';
import { freePort } from '../rig/ports.ts';

const PAGES = [
  '/',
  '/chat',
  '/runs',
  '/approvals',
  '/policy',
  '/journal',
  '/sandbox',
  '/devices',
  '/access',
  '/settings',
  '/doctor',
] as const;
const ACCESSIBILITY = 'accessibility';
const BEST_PRACTICES = 'best practices';
const ENOUGH = { atLeast: 95 };

export const consoleLighthouse: Figure = {
  says: 'What Lighthouse gives the pages of the console, signed in as the owner: one round for each page.',
  targets: [ACCESSIBILITY, BEST_PRACTICES].map((subject) => ({
    kind: 'value',
    subject,
    limit: ENOUGH,
  })),
  measure: async (scale) => {
    await setup();
    await installLighthouse();
    const pages = scale === 'small' ? PAGES.slice(0, 1) : PAGES;
    const audits = await auditPages(pages);
    return {
      runs: [runOf(audits)],
      notes: [`Lighthouse ${LIGHTHOUSE_VERSION}.`, ...faultsOf(pages, audits)],
    };
  },
};

/** In a browser with a profile: Lighthouse opens pages of its own, which must find the session there. */
async function auditPages(pages: readonly string[]): Promise<readonly Audit[]> {
  await using stage = await openStage([[{ text: 'hello\n' }]]);
  await using profile = await mkdtempDisposable(join(tmpdir(), 'palyra-profile-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--remote-debugging-port=${port}`],
  });
  await using _visit = await visit(context, {
    origin: stage.origin,
    path: '/',
    link: await stage.link(),
  });
  const audits: Audit[] = [];
  for (const path of pages) audits.push(await audit(`${stage.origin}${path}`, port));
  return audits;
}

function runOf(audits: readonly Audit[]): Run {
  return {
    title: 'scores',
    quantity: SCORE,
    series: {
      [ACCESSIBILITY]: audits.map(({ accessibility }) => accessibility),
      [BEST_PRACTICES]: audits.map(({ bestPractices }) => bestPractices),
    },
  };
}

function faultsOf(pages: readonly string[], audits: readonly Audit[]): readonly string[] {
  return audits.flatMap(({ faults }, index) =>
    faults.length === 0 ? [] : [`\`${pages[index] ?? ''}\`: ${faults.join('; ')}.`],
  );
}
