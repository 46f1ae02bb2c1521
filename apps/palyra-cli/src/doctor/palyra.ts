import { access, constants } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { AuthorityState } from '@palyra/protocol';
import { readSetting } from '../config-answer.ts';
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

/** Names that the authority was not made for are in no certificate, so nobody can check them. */
export const checkNames: Check = async ({ shell }) => {
  const check = 'gateway names';
  try {
    const { value } = readSetting(await askDaemonProgram(shell, ['config', 'get', NAMES]));
    const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
    if (names.length === 0) return { check, result: 'ok', detail: `\`${NAMES}\` is empty` };
    const { authorities } = await localDaemonOf(shell).identity.getAuthorities({}, PROBE);
    const active = authorities.find(({ state }) => state === AuthorityState.ACTIVE);
    const missing = uncovered(names, active?.names ?? []);
    if (missing.length === 0) return { check, result: 'ok', detail: inline(names.join(', ')) };
    return {
      check,
      result: 'warning',
      detail: `the authority was made before ${inline(missing.join(', '))} was configured`,
      fix: 'replace it with `palyra identity rotate-ca`',
    };
  } catch (reason) {
    const { code, message, help } = PalyraError.from(reason);
    // The check of the daemon tells of that already.
    if (code === 'DAEMON_UNREACHABLE') {
      return { check, result: 'ok', detail: 'only a running daemon can tell' };
    }
    return { check, result: 'warning', detail: inline(message), fix: inline(help) };
  }
};

const NAMES = 'identity.names';

/** A name allows those below it, an address only itself. */
export function uncovered(names: readonly string[], allowed: readonly string[]): readonly string[] {
  const bases = allowed.map(spelled);
  return names.filter((name) => {
    const text = spelled(name);
    return !bases.some((base) => text === base || (isName(text) && text.endsWith(`.${base}`)));
  });
}

/** The URL parser writes each IPv6 address in one spelling. */
function spelled(name: string): string {
  if (!name.includes(':')) return name.toLowerCase();
  return URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name;
}

function isName(text: string): boolean {
  return isIP(text) === 0;
}

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
