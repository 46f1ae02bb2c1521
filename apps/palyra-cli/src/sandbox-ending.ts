import { constants } from 'node:os';
import { type JsonObject, PalyraError, isErrorCode, isJsonObject } from '@palyra/kernel';
import type { CommandExit } from './exit-codes.ts';

/** How a command in a sandbox ended, as `palyrad sandbox run` tells it. */
export interface SandboxEnding {
  readonly exit: CommandExit;
  /** Absent when the command ended by itself. */
  readonly fault?: PalyraError;
  readonly told: JsonObject;
}

/** Of `env` and `timeout`, and of every shell. */
const LATE = 124;
const NOT_OURS = 125;
const NOT_EXECUTABLE = 126;
const NOT_THERE = 127;
const SIGNALLED = 128;
const INTERRUPTED = 130;

export function readEnding(told: JsonObject): SandboxEnding {
  const { code, signal, fault } = told;
  if (isJsonObject(fault)) {
    const error = toFault(fault);
    return {
      exit: { command: codeOfFault(error, fault['isMissing'] === true) },
      fault: error,
      told,
    };
  }
  if (typeof code === 'number') return { exit: { command: code }, told };
  const numbers: Readonly<Record<string, number>> = constants.signals;
  const number = typeof signal === 'string' ? numbers[signal] : undefined;
  if (number !== undefined) return { exit: { command: SIGNALLED + number }, told };
  throw new PalyraError('UNEXPECTED', 'palyrad did not tell how the command ended');
}

/** A fault that came instead of an ending: no sandbox was made. */
export function endingOf(fault: PalyraError): SandboxEnding {
  const { code, message: reason, help } = fault;
  const told = { kind: 'refused', fault: { code, reason, help } };
  return { exit: { command: NOT_OURS }, fault, told };
}

function codeOfFault({ code }: PalyraError, isMissing: boolean): number {
  if (code === 'SANDBOX_TIMED_OUT') return LATE;
  if (code === 'SANDBOX_SPAWN_FAILED') return isMissing ? NOT_THERE : NOT_EXECUTABLE;
  return code === 'CANCELLED' ? INTERRUPTED : NOT_OURS;
}

function toFault({ code, reason, help }: JsonObject): PalyraError {
  const known = typeof code === 'string' && isErrorCode(code) ? code : 'UNEXPECTED';
  const words = typeof reason === 'string' ? reason : 'the sandbox failed';
  if (known === 'SANDBOX_TIMED_OUT') {
    return new PalyraError(known, words, { help: 'give it more with `--timeout`' });
  }
  return new PalyraError(known, words, typeof help === 'string' ? { help } : {});
}
