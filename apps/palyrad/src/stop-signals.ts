import { PalyraError } from '@palyra/kernel';
import { EXIT } from './exit-codes.ts';

/** The wish of whoever runs the daemon that it ends. */
export interface Stop {
  /** For a start that should not go on; its reason is SHUTTING_DOWN. */
  readonly signal: AbortSignal;
  /** The name of the first signal. */
  readonly told: Promise<string>;
}

/** Listens from now on; the second signal ends the process on the spot. */
export function listenForStop(): Stop {
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(EXIT.failure);
    controller.abort(new PalyraError('SHUTTING_DOWN', 'the daemon was told to stop'));
    resolve(name);
  };
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, onSignal);
  return { signal: controller.signal, told };
}
