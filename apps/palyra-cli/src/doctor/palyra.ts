import { plural } from '@palyra/client';
import { access } from 'node:fs/promises';
import { PalyraError, type Places } from '@palyra/kernel';
import type { Shell } from '../command.ts';
import { localDaemonOf } from '../daemon.ts';
import { askDaemonProgram } from '../daemon-program.ts';
import { inline } from '../render/words.ts';
import { badEntry, readVerifyReport } from '../verify-report.ts';
import type { Finding } from './check.ts';

const DAEMON = { check: 'daemon', about: 'whether one answers on this machine' } as const;

/** One that has just started on a busy machine is not ill. */
const PATIENCE_MS = 8_000;

/** Contract: never rejects. */
export async function checkDaemon(shell: Shell): Promise<Finding> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const health = await localDaemonOf(shell).health.getHealth({}, { signal: patience });
    const doors = [...health.endpoints, health.console].filter((door) => door !== '');
    const runs = plural(health.activeRuns, 'active run');
    const detail = `${inline(health.version)} answers on ${inline(doors.join(', '))}; ${runs}`;
    return { ...DAEMON, result: 'ok', detail };
  } catch (reason) {
    // One that is not there refuses at once; only one that is there can keep us waiting.
    if (patience.aborted) return { ...DAEMON, result: 'failed', ...SILENT };
    const error = PalyraError.from(reason);
    // Not running is a state, not an illness.
    const result = error.code === 'DAEMON_UNREACHABLE' ? 'warning' : 'failed';
    return { ...DAEMON, result, detail: inline(error.message), fix: inline(error.help) };
  }
}

const SILENT = {
  detail: `one is there and has not answered for ${PATIENCE_MS / 1000} seconds`,
  fix: 'it is stopped or overloaded: look at its log, or end its process and start it again',
};

const CHAIN = {
  check: 'journal intact',
  about: 'whether every entry is as it was sealed',
} as const;

/** Read from the files, so that nobody has to take the daemon's word for it. Contract: never rejects. */
export async function checkJournalChain(shell: Shell, { storeFile }: Places): Promise<Finding> {
  try {
    const report = readVerifyReport(await askDaemonProgram(shell, ['journal', 'verify']));
    if (report.verdict === 'intact') {
      return { ...CHAIN, result: 'ok', detail: plural(report.entries, 'entry', 'entries') };
    }
    const entry = badEntry(report.fault);
    const place = entry === undefined ? '' : ` at entry ${inline(entry)}`;
    const detail = `broken${place}: ${inline(report.fault.reason)}`;
    const fix = (await isThere(storeFile)) ? FIXES.changed : FIXES.gone;
    return { ...CHAIN, result: 'failed', detail, fix };
  } catch (reason) {
    const { code, message, help } = PalyraError.from(reason);
    // Nothing there yet is how every installation begins.
    if (code === 'NOT_FOUND') return { ...CHAIN, result: 'ok', detail: 'no journal yet' };
    return { ...CHAIN, result: 'failed', detail: inline(message), fix: inline(help) };
  }
}

const FIXES = {
  changed: 'keep the files; `palyra journal verify`',
  gone: 'restore the store from a backup, or move the key away to begin a new journal',
} as const;

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
