import { isBuiltin } from 'node:module';
import { PalyraError, systemClock } from '@palyra/kernel';
import { type Flags, usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { type Verdict, openSandboxes, standingsOf } from '../sandbox-process.ts';
import { type Surroundings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';

/** Where each tier stands on this machine: what was kept is told; where nothing was, it is tried now. */
export async function statusAnswer(
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if (rest.length > 0) throw usage('expected no argument');
  const { verdict, ...others } = await lookAtSandbox(surroundings, flags);
  const standings = standingsOf(process.platform, verdict);
  const works = standings.some(({ tier, state }) => tier === 'C' && state === 'proven');
  // Asked for by its name alone: to load it is to be warned of it.
  const ffi = isBuiltin('node:ffi');
  const { machine, provenAt } = verdict ?? {};
  return {
    exit: works ? EXIT.ok : EXIT.failure,
    kind: 'sandbox.status',
    fields: { works, standings, provenAt, machine, ffi, ...others },
  };
}

interface Look {
  readonly verdict?: Verdict;
  /** It was proven before we asked. */
  readonly isKept?: boolean;
  readonly fault?: { readonly code: string; readonly message: string; readonly help: string };
}

/** What was kept, or what comes of trying it now. Contract: rejects only for a bad configuration. */
export async function lookAtSandbox(surroundings: Surroundings, flags: Flags): Promise<Look> {
  if (process.platform !== 'linux') return {};
  const { sandbox: settings } = loadSettings(surroundings, flags).config;
  const asked = systemClock().now();
  try {
    await using sandboxes = openSandboxes(surroundings, { settings, uses: 'once' });
    const verdict = await sandboxes.verdict();
    return { verdict, isKept: new Date(verdict.provenAt) < asked };
  } catch (reason) {
    const { code, message, help } = PalyraError.from(reason);
    return { fault: { code, message, help } };
  }
}
