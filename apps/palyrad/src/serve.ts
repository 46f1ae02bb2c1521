import { toJsonString } from '@bufbuild/protobuf';
import { type Log, PalyraError, redact } from '@palyra/kernel';
import { GetHealthResponseSchema } from '@palyra/protocol';
import { type Daemon, type DaemonParts, compose } from './compose.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { ServeUntil } from './command-line.ts';
import { createLog } from './log.ts';
import { type Surroundings, loadSettings } from './sections.ts';
import type { Stop } from './stop-signals.ts';
import { createSupervisor } from './supervisor.ts';

/** How it was started, and what ends it. */
export interface Holding {
  readonly until: ServeUntil;
  readonly stop: Stop;
}

/** Serves until it is told to stop. Contract: rejects when it cannot start. */
export async function serve(
  surroundings: Surroundings,
  flags: Readonly<Record<string, string>>,
  { until, stop }: Holding,
): Promise<ExitCode> {
  const readSettings = () => loadSettings(surroundings, flags);
  const settings = readSettings();
  const { config } = settings;
  const log = createLog(config.log, {
    isTerminal: process.stderr.isTTY,
    write: (line) => process.stderr.write(line),
  });
  endOnFault(log);
  outliveReaders();
  const supervisor = createSupervisor({ socket: surroundings.environment['NOTIFY_SOCKET'], log });

  const daemon = await startUnlessStopped({
    ...surroundings,
    config,
    settings,
    readSettings,
    log,
    signal: stop.signal,
  });
  if (daemon === undefined) {
    log.info('stopped while it was starting', { reason: await stop.told });
    return EXIT.ok;
  }
  if (!stop.signal.aborted) {
    process.stdout.write(`ready ${daemon.endpoint}\n`);
    log.info('ready', { endpoint: daemon.endpoint, profile: config.deployment.profile });
    await supervisor.tell('READY=1');
    if (until === 'stdin-ends') await tellHealth(daemon);
  }

  const reason = await stop.told;
  log.info('stopping', { reason, graceMs: config.transport.drain_ms });
  await Promise.all([supervisor.tell('STOPPING=1'), daemon.stop(reason)]);
  log.info('stopped');
  return EXIT.ok;
}

/** The program that holds us shows it, and need not be a caller for that. */
async function tellHealth(daemon: Daemon): Promise<void> {
  const health = toJsonString(GetHealthResponseSchema, await daemon.health());
  process.stdout.write(`health ${health}\n`);
}

/** Contract: `undefined` when it was told to stop before it had recorded its start. */
async function startUnlessStopped(parts: DaemonParts): Promise<Daemon | undefined> {
  try {
    return await compose(parts);
  } catch (reason) {
    if (parts.signal.aborted && reason === parts.signal.reason) return undefined;
    throw reason;
  }
}

/**
 * Whoever read the log, or waited for `ready`, may be gone before us. That must not cut the drain
 * short: the journal tells how it ended.
 */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
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
