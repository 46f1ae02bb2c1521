import { type Log, PalyraError, redact } from '@palyra/kernel';
import { compose } from './compose.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { createLog } from './log.ts';
import { type Surroundings, loadSettings } from './sections.ts';
import { createSupervisor } from './supervisor.ts';

/** Serves until it is told to stop. Contract: rejects when it cannot start. */
export async function serve(
  surroundings: Surroundings,
  flags: Readonly<Record<string, string>>,
): Promise<ExitCode> {
  const { config } = loadSettings(surroundings, flags);
  const log = createLog(config.log, {
    isTerminal: process.stderr.isTTY,
    write: (line) => process.stderr.write(line),
  });
  endOnFault(log);
  const told = signalled();
  const supervisor = createSupervisor({ socket: surroundings.environment['NOTIFY_SOCKET'], log });

  const daemon = await compose({ ...surroundings, config, log });
  process.stdout.write(`ready ${daemon.endpoint}\n`);
  log.info('ready', { endpoint: daemon.endpoint, profile: config.deployment.profile });
  await supervisor.tell('READY=1');

  const reason = await told;
  log.info('stopping', { reason, graceMs: config.transport.drain_ms });
  await Promise.all([supervisor.tell('STOPPING=1'), daemon.stop(reason)]);
  log.info('stopped');
  return EXIT.ok;
}

/** Resolves with the first signal's name; the second one ends the process on the spot. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(EXIT.failure);
      isStopping = true;
      resolve(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}

/** What nobody expected leaves nobody sure: say it and end; the journal needs no goodbye. */
function endOnFault(log: Log): void {
  const end = (reason: unknown) => {
    log.error('unexpected failure, the daemon ends', { error: redact(PalyraError.from(reason)) });
    process.exit(EXIT.failure);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
