import { spawnSync } from 'node:child_process';
import { PalyraError } from '@palyra/kernel';

interface Invocation {
  readonly file: string;
  readonly arguments: readonly string[];
}

interface Becoming {
  /** For this same program. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What leads to the state folder, and to compiled sources; whatever else there is stays behind. */
const KEPT = [
  ...(['PALYRA_HOME', 'HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const),
  'NODE_COMPILE_CACHE',
] as const;

/**
 * Replaces this process by another of the same program, started as `wrap` wants it; standard streams
 * stay. Contract: throws SANDBOX_UNAVAILABLE where that cannot be.
 */
export function become(
  wrap: (invocation: Invocation) => Invocation,
  { words, environment }: Becoming,
): never {
  if (process.platform !== 'linux' || process.execve === undefined) {
    throw new PalyraError('SANDBOX_UNAVAILABLE', 'there is no sandbox of tier C for this system', {
      help: 'run it on Linux',
    });
  }
  checkStart(wrap({ file: '/bin/true', arguments: [] }));
  const { file, arguments: all } = wrap({
    file: process.execPath,
    arguments: [
      // The one that calls the C library; its stability is ours to watch, not the user's.
      '--disable-warning=ExperimentalWarning',
      process.argv[1] ?? '',
      '--',
      ...words,
    ],
  });
  const kept = KEPT.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return process.execve(file, [file, ...all], Object.fromEntries(kept));
}

const PATIENCE_MS = 10_000;

/** Once this process is replaced, nobody could explain any more why the other did not start. */
function checkStart({ file, arguments: words }: Invocation): void {
  const { status, error } = spawnSync(file, words, {
    env: {},
    stdio: 'ignore',
    timeout: PATIENCE_MS,
  });
  if (status === 0) return;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    'no process with mounts of its own can be started here',
    {
      cause: error,
      help: 'start it as a user without rights, or give this container `CAP_SYS_ADMIN`; `unshare` comes with util-linux',
    },
  );
}
