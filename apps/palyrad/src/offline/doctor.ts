import { access } from 'node:fs/promises';
import { type Flags, usage } from '../command-line.ts';
import { type Check, type Outlook, examine } from '../doctor/check.ts';
import { machineChecks } from '../doctor/machine-checks.ts';
import { SANDBOX_CHECK, sandboxOutlook } from '../doctor/sandbox.ts';
import { EXIT } from '../exit-codes.ts';
import { standingsOf } from '../sandbox-process.ts';
import { type Surroundings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';
import { lookAtSandbox } from './sandbox-status.ts';

/** Everything is tried where nothing was kept. */
const SANDBOX_PATIENCE_MS = 120_000;

/** The doctor where no daemon answers. */
export async function diagnose(
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if (rest.length > 0) throw usage('expected no argument');
  const configuration: Check = {
    check: 'configuration',
    about: 'whether the next start would take it',
    look: () => {
      loadSettings(surroundings, flags);
      return { result: 'ok', detail: 'valid' };
    },
  };
  const sandbox: Check = {
    ...SANDBOX_CHECK,
    patienceMs: SANDBOX_PATIENCE_MS,
    look: () => provenSandbox(surroundings, flags),
  };
  const findings = await examine([...machineChecks(surroundings), configuration, sandbox]);
  const isHealthy = findings.every(({ result }) => result !== 'failed');
  return { exit: isHealthy ? EXIT.ok : EXIT.failure, kind: 'doctor', fields: { findings } };
}

async function provenSandbox(surroundings: Surroundings, flags: Flags): Promise<Outlook> {
  try {
    await access(surroundings.places.stateDir);
  } catch {
    // Nothing there yet is how every installation begins; whoever only looks makes nothing.
    return { result: 'ok', detail: 'will be proven at the first start' };
  }
  const { verdict, fault } = await lookAtSandbox(surroundings, flags);
  if (fault !== undefined) return { result: 'warning', detail: fault.message, fix: fault.help };
  return sandboxOutlook(standingsOf(process.platform, verdict), verdict?.provenAt);
}
