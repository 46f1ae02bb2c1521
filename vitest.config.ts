import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const UNIT = ['{packages,apps,tools,tests,bench}/**/*.test.ts'];
const STATEFUL = ['{packages,apps,tools,bench}/**/*.stateful.test.ts', 'tests/e2e/**/*.test.ts'];
const NEVER = ['**/node_modules/**', '**/dist/**', '**/gen/**'];

// Programs that tests start share this cache with the runner itself.
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') };

export default defineConfig({
  test: {
    allowOnly: false,
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...NEVER, ...STATEFUL],
          // Isolation costs more than everything else here together; unit tests hold no state.
          isolate: false,
          pool: 'threads',
          testTimeout: 60_000,
          env,
        },
      },
      {
        test: {
          name: 'stateful',
          include: STATEFUL,
          exclude: NEVER,
          isolate: true,
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          env,
        },
      },
    ],
  },
});
