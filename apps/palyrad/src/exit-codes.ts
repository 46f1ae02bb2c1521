import type { ErrorCode } from '@palyra/kernel';

/** The numbers that `palyra` has too: one table for a script that calls either. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 5,
  config: 6,
  journalBroken: 7,
  busy: 8,
  wrongRuntime: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const OF_ERROR: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  INVALID_INPUT: EXIT.usage,
  NOT_FOUND: EXIT.notFound,
  OVERLOADED: EXIT.busy,
  SHUTTING_DOWN: EXIT.busy,
  WRONG_RUNTIME: EXIT.wrongRuntime,
  CONFIG_INVALID: EXIT.config,
  CONFIG_UNKNOWN_KEY: EXIT.config,
  CONFIG_CONTRADICTION: EXIT.config,
  CONFIG_WIDENED: EXIT.config,
  HOME_UNSAFE: EXIT.config,
  SCRIPT_INVALID: EXIT.config,
  JOURNAL_CORRUPT: EXIT.journalBroken,
  EXPORT_MALFORMED: EXIT.journalBroken,
  JOURNAL_LOCKED: EXIT.busy,
  DAEMON_RUNNING: EXIT.busy,
};

export function exitOf(code: ErrorCode): ExitCode {
  return OF_ERROR[code] ?? EXIT.failure;
}
