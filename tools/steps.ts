import { checkBrowser } from './guards/check-browser.ts';
import { checkDocs } from './guards/check-docs.ts';
import { checkGenerated } from './guards/check-generated.ts';
import { checkGlobals } from './guards/check-globals.ts';
import { checkLayers } from './guards/check-layers.ts';
import { checkLock } from './guards/check-lock.ts';
import { checkPermissions } from './guards/check-permissions.ts';
import { checkRequirements } from './guards/check-requirements.ts';
import { checkSizes } from './guards/check-sizes.ts';
import { REQUIREMENTS } from '../tests/requirements.ts';
import { ROOT, run } from './run.ts';
import { type Outcome, type Step, fromFindings } from './step.ts';
import { runTests } from './test-run.ts';
import { treeAt } from './tree.ts';

/** Everything that looks at the sources, the slow ones first so that the others fill the gaps. */
export const GUARDS: readonly Step[] = [
  { name: 'types', run: () => types('.') },
  { name: 'console-types', run: () => types('apps/console') },
  { name: 'e2e-types', run: () => types('tests/e2e/console') },
  {
    name: 'lint',
    run: () => program('oxlint', ['--type-aware', '--deny-warnings', '--threads=1']),
  },
  { name: 'format', run: () => program('oxfmt', ['--check']) },
  { name: 'proto', run: () => program('buf', ['lint', 'packages/protocol']) },
  { name: 'generated', run: generated },
  { name: 'browser', run: async () => fromFindings(await checkBrowser(ROOT)) },
  { name: 'layers', run: () => fromFindings(checkLayers(treeAt(ROOT))) },
  { name: 'sizes', run: () => fromFindings(checkSizes(treeAt(ROOT))) },
  { name: 'docs', run: () => fromFindings(checkDocs(treeAt(ROOT))) },
  { name: 'globals', run: () => fromFindings(checkGlobals(treeAt(ROOT))) },
  { name: 'permissions', run: () => fromFindings(checkPermissions()) },
  { name: 'lock', run: () => fromFindings(checkLock(treeAt(ROOT))) },
  {
    name: 'requirements',
    run: () => fromFindings(checkRequirements(treeAt(ROOT), Object.keys(REQUIREMENTS))),
  },
];

/** Everything that `npm run check` does. */
export const CHECKS: readonly Step[] = [
  { name: 'unit', run: () => runTests({ projects: ['unit'], output: 'keep' }) },
  ...GUARDS,
];

/** Loaded late: pages are made by the sources, and broken ones must not stop the other checks. */
async function generated(): Promise<Outcome> {
  const { GENERATORS } = await import('./generators/list.ts');
  return fromFindings(await checkGenerated(ROOT, GENERATORS));
}

/** What was found the last time is kept: only what depends on a change is looked at again. */
async function types(folder: string): Promise<Outcome> {
  const kept = `dist/types/${folder.replaceAll('/', '-')}.tsbuildinfo`;
  const args = ['-p', folder, '--singleThreaded', '--incremental', '--tsBuildInfoFile', kept];
  return await program('tsc', args);
}

/**
 * For the linter and the compiler, which are written in Go. Their threads each work out the same
 * types again, which takes twice the processor, and the other step has the other core. In the memory
 * that this saves there is rubbish for longer.
 */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '200' };

async function program(name: string, args: readonly string[]): Promise<Outcome> {
  const { code, output } = await run({ program: name, args, env: ONE_THREAD, output: 'keep' });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
}
