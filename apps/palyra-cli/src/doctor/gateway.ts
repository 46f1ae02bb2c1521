import { type JsonObject, PalyraError } from '@palyra/kernel';
import { CheckResult as WireResult, type DoctorFinding } from '@palyra/protocol';
import type { Shell } from '../command.ts';
import { textOf } from '../config-answer.ts';
import { localDaemonOf } from '../daemon.ts';
import { askDaemonProgram } from '../daemon-program.ts';
import { inline } from '../render/words.ts';
import { objects } from '../verdict-answer.ts';
import type { CheckResult, Finding } from './check.ts';

/** Longer than all of its checks may take on a machine that has much to do. */
const DIAGNOSIS = { timeoutMs: 30_000 } as const;

/**
 * What the gateway finds: the daemon of this machine, which sees the most, or its program where none
 * answers. Contract: never rejects.
 */
export async function examineGateway(shell: Shell, daemon: Finding): Promise<readonly Finding[]> {
  if (daemon.result !== 'ok') return await askProgram(shell);
  try {
    const { findings } = await localDaemonOf(shell).doctor.diagnose({}, DIAGNOSIS);
    return findings.map(fromWire);
  } catch (reason) {
    // An older one cannot be asked, and one that is lost meanwhile neither: its program can.
    return [unknown('warning', reason), ...(await askProgram(shell))];
  }
}

async function askProgram(shell: Shell): Promise<readonly Finding[]> {
  try {
    return objects((await askDaemonProgram(shell, ['doctor']))['findings']).map(fromProgram);
  } catch (reason) {
    return [unknown('failed', reason)];
  }
}

function unknown(result: 'warning' | 'failed', reason: unknown): Finding {
  const { message, help } = PalyraError.from(reason);
  const about = 'what the gateway says of itself';
  return { check: 'doctor', about, result, detail: inline(message), fix: inline(help) };
}

const RESULTS: ReadonlyMap<WireResult, CheckResult> = new Map([
  [WireResult.OK, 'ok'],
  [WireResult.WARNING, 'warning'],
]);

/** What is not clearly well is not well. */
function fromWire({ check, about, result, detail, fix }: DoctorFinding): Finding {
  const words = { check: inline(check), about: inline(about), detail: inline(detail) };
  return { ...words, result: RESULTS.get(result) ?? 'failed', ...fixOf(fix) };
}

function fromProgram(finding: JsonObject): Finding {
  const { result } = finding;
  return {
    check: textOf(finding, 'check'),
    about: textOf(finding, 'about'),
    result: result === 'ok' || result === 'warning' ? result : 'failed',
    detail: textOf(finding, 'detail'),
    ...fixOf(textOf(finding, 'fix')),
  };
}

function fixOf(fix: string): { readonly fix?: string } {
  return fix === '' ? {} : { fix: inline(fix) };
}
