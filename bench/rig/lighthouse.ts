import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CACHE_DIR } from './home.ts';
import { installInto } from './peers.ts';

/** Exactly this, installed by the benchmark, and never a part of the product. */
export const LIGHTHOUSE_VERSION = '13.5.0';
const FOLDER = join(CACHE_DIR, 'lighthouse');
const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js');
const CATEGORIES = ['accessibility', 'best-practices'] as const;
const LOADED_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** On a busy machine it may close a page of which it still asks something, and break off by that. */
const MOST_TRIES = 3;

const SCORE = z.number().transform((score) => score * 100);
const REPORT = z.object({
  categories: z.object({
    accessibility: z.object({ score: SCORE }),
    'best-practices': z.object({ score: SCORE }),
  }),
  audits: z.record(z.string(), z.object({ title: z.string(), score: z.number().nullable() })),
});

export interface Audit {
  readonly accessibility: number;
  readonly bestPractices: number;
  /** What did not score full marks. */
  readonly faults: readonly string[];
}

/** Contract: rejects when it cannot be had, with a reason that a page can show. */
export async function installLighthouse(): Promise<void> {
  await installInto(FOLDER, { lighthouse: LIGHTHOUSE_VERSION });
}

/** Audits a page in a browser that is signed in already and listens on a port. */
export async function audit(url: string, port: number): Promise<Audit> {
  const args = [
    PROGRAM,
    url,
    `--port=${port}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    // The key of the session is in it.
    '--disable-storage-reset',
    '--form-factor=desktop',
    '--screenEmulation.disabled',
    '--throttling-method=provided',
    // The stream of news never ends, so it would wait for as long as it may.
    `--max-wait-for-load=${LOADED_MS}`,
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
  ];
  const { categories, audits } = REPORT.parse(JSON.parse(await reportOf(args, MOST_TRIES)));
  return {
    accessibility: categories.accessibility.score,
    bestPractices: categories['best-practices'].score,
    faults: Object.values(audits).flatMap(({ title, score }) =>
      score === null || score === 1 ? [] : [title],
    ),
  };
}

async function reportOf(args: readonly string[], tries: number): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, args, { maxBuffer: MOST_BYTES })).stdout;
  } catch (reason) {
    if (tries === 1) throw reason;
    return await reportOf(args, tries - 1);
  }
}
