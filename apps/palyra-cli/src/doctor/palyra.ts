import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { PROBE, localDaemonOf } from '../daemon.ts';
import { askDaemonProgram } from '../daemon-program.ts';
import { inline, plural } from '../render/words.ts';
import { badEntry, readVerifyReport } from '../verify-report.ts';
import type { Check, Finding } from './check.ts';

export const checkConfig: Check = async ({ shell }) => {
  const check = 'configuration';
  try {
    await askDaemonProgram(shell, ['config', 'validate']);
    return { check, result: 'ok', detail: 'valid' };
  } catch (reason) {
    return failed(check, reason);
  }
};

export const checkDaemon: Check = async ({ shell }) => {
  const check = 'daemon';
  const patience = AbortSignal.timeout(PROBE.timeoutMs);
  try {
    const health = await localDaemonOf(shell).health.getHealth({}, { signal: patience });
    const doors = [...health.endpoints, health.console].filter((door) => door !== '');
    const runs = plural(health.activeRuns, 'active run');
    const detail = `${inline(health.version)} answers on ${inline(doors.join(', '))}; ${runs}`;
    return { check, result: 'ok', detail };
  } catch (reason) {
    // One that is not there refuses at once; only one that is there can keep us waiting.
    if (patience.aborted) return { check, result: 'failed', ...SILENT };
    const error = PalyraError.from(reason);
    // Not running is a state, not an illness.
    const result = error.code === 'DAEMON_UNREACHABLE' ? 'warning' : 'failed';
    return { check, result, detail: inline(error.message), fix: inline(error.help) };
  }
};

const SILENT = {
  detail: `one is there and has not answered for ${PROBE.timeoutMs / 1000} seconds`,
  fix: 'it is stopped or overloaded: look at its log, or end its process and start it again',
};

export const checkJournalFiles: Check = async ({ places }) => {
  const check = 'journal writable';
  const folder = dirname(places.storeFile);
  try {
    await access(folder, constants.F_OK);
  } catch {
    // Nothing there yet is how every installation begins.
    return { check, result: 'ok', detail: 'will be made at the first start' };
  }
  try {
    await access(folder, constants.W_OK);
    return { check, result: 'ok', detail: folder };
  } catch {
    const fix = `give yourself the right to write to ${folder}, or mend the disk`;
    return { check, result: 'failed', detail: `${folder} cannot be written`, fix };
  }
};

export const checkJournalChain: Check = async ({ shell, places }) => {
  const check = 'journal intact';
  try {
    await access(places.storeFile);
  } catch {
    // Nothing there yet is how every installation begins.
    return { check, result: 'ok', detail: 'no journal yet' };
  }
  try {
    const report = readVerifyReport(await askDaemonProgram(shell, ['journal', 'verify']));
    if (report.verdict === 'intact') {
      return { check, result: 'ok', detail: plural(report.entries, 'entry', 'entries') };
    }
    const entry = badEntry(report.fault);
    const place = entry === undefined ? '' : ` at entry ${inline(entry)}`;
    const detail = `broken${place}: ${inline(report.fault.reason)}`;
    return { check, result: 'failed', detail, fix: 'keep the files; `palyra journal verify`' };
  } catch (reason) {
    return failed(check, reason);
  }
};

function failed(check: string, reason: unknown): Finding {
  const { message, help } = PalyraError.from(reason);
  return { check, result: 'failed', detail: inline(message), fix: inline(help) };
}
