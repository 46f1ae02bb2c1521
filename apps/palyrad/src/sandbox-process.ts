import { fileURLToPath } from 'node:url';
import { type Log, type PalyraError, type Places, redact } from '@palyra/kernel';
import { type Sandboxes, sandboxFolder, startSandboxd } from '@palyra/sandbox';
import type { Config } from './sections.ts';
import { palyradVersion } from './version.ts';

export type {
  Ending,
  Limits,
  SandboxLoad,
  SandboxRequest,
  Sandboxes,
  StepVerdict,
  Verdict,
} from '@palyra/sandbox';

export {
  InputStream,
  MAX_RUNS,
  MAX_WAITING,
  limitsOf,
  poolBounds,
  standingMountPoints,
  standingsOf,
} from '@palyra/sandbox';

export interface SandboxUse {
  readonly settings: Pick<Config['sandbox'], 'warm' | 'warm_total' | 'programs'>;
  /** For one command nothing waits, ready made, for the next. */
  readonly uses: 'once' | 'often';
  readonly log?: Log;
}

/**
 * The process that makes sandboxes, beside this one: started at the first use, gone when disposed of.
 * Contract: starts nothing now, but makes the folder that it works in.
 */
export function openSandboxes(
  { places }: { readonly places: Places },
  { settings, uses, log }: SandboxUse,
): Sandboxes {
  const warm = uses === 'once' ? 0 : settings.warm;
  return startSandboxd({
    program: program(),
    opening: {
      folder: sandboxFolder(places.sandboxDir),
      version: palyradVersion,
      warm,
      warmTotal: settings.warm_total,
      programs: [...settings.programs],
    },
    ...(log !== undefined && reportingTo(log)),
  });
}

function reportingTo(log: Log) {
  return {
    onWords: (words: string) => log.warn('the process that makes sandboxes says', { words }),
    onEnd: (fault: PalyraError) =>
      log.error('the process that makes sandboxes has ended; the next call starts it anew', {
        error: redact(fault),
      }),
  };
}

/** From source it runs source; a bundle's lies one folder up, as all that can be started. */
function program(): string {
  const name = import.meta.url.endsWith('.ts') ? '../../sandboxd/src/main.ts' : '../sandboxd.cjs';
  return fileURLToPath(new URL(name, import.meta.url));
}
