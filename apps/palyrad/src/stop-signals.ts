import { PalyraError } from '@palyra/kernel';
import type { ServeUntil } from './command-line.ts';
import { EXIT } from './exit-codes.ts';

/** The wish of whoever runs the daemon that it ends. */
export interface Stop {
  /** For a start that should not go on; its reason is SHUTTING_DOWN. */
  readonly signal: AbortSignal;
  /** The name of the first signal, or that standard input ended. */
  readonly told: Promise<string>;
}

/** Whoever stops a service tells all of its processes, and the one that started us tells us too: that is one wish. */
const ONE_WISH_MS = 1000;

/** Listens from now on; a second wish ends the process on the spot. */
export function listenForStop(until: ServeUntil): Stop {
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const controller = new AbortController();
  const stop = (reason: string) => {
    controller.abort(new PalyraError('SHUTTING_DOWN', 'the daemon was told to stop'));
    resolve(reason);
  };
  let firstAt: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > ONE_WISH_MS) process.exit(EXIT.failure);
    stop(name);
  };
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, onSignal);
  // The system closes it for a process that was killed, which could not tell us anything else.
  if (until === 'stdin-ends') onStdinEnd(() => stop('standard input ended'));
  return { signal: controller.signal, told };
}

/** Contract: what comes through it is thrown away; one that breaks has ended. */
function onStdinEnd(react: () => void): void {
  process.stdin.once('end', react).once('error', react).resume();
}
