import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';

const UNIT = ['{packages,apps,tools,tests,bench}/**/*.test.ts'];
const STATEFUL = ['{packages,bench}/**/*.stateful.test.ts'];
const PROGRAMS = ['{apps,tools}/**/*.stateful.test.ts', 'tests/e2e/**/*.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**', '**/gen/**'];

// Programs that tests start share this cache with the runner itself.
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') };

// Who waits for another process waits for what it does; how long that takes is up to the machine.
const AWAITED = { poll: { timeout: 30_000 } };

const PATIENT = {
  exclude: NEVER,
  pool: 'forks',
  // To load everything anew takes half a second for each file. What would disturb others is in
  // processes that a test starts; whatever it changes in its own it puts back.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: AWAITED,
  env,
} as const;

// Twice the cores of a small machine: tests wait for programs, disks and clocks half of their time.
const WORKERS = 4;

export default defineConfig({
  test: {
    allowOnly: false,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    // Node reads our sources as they are and keeps what it has compiled. To rewrite each of them for
    // Vite's own loader, once for every project, takes a tenth more of the processor.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...NEVER, ...STATEFUL, ...PROGRAMS],
          // Isolation costs more than everything else here together; unit tests hold no state.
          isolate: false,
          pool: 'threads',
          // They wait for nobody, and each worker loads everything anew. So they come last.
          maxWorkers: Math.min(WORKERS, availableParallelism()),
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: AWAITED,
          env,
        },
      },
      { test: { ...PATIENT, name: 'stateful', include: STATEFUL } },
      {
        // Whoever starts our programs starts them as people have them, built from these sources.
        test: {
          ...PATIENT,
          name: 'programs',
          // A browser and a daemon for each, on a machine that does other things too.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          include: PROGRAMS,
          globalSetup: './tools/setup/built-programs.ts',
        },
      },
    ],
  },
});
