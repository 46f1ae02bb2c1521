import type { Log, LogFields } from '@palyra/kernel';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps what was logged, so that a test can look at it; prints nothing. */
export interface QuietLog extends Log {
  readonly lines: readonly LogLine[];
}

export function quietLog(bound: LogFields = {}, lines: LogLine[] = []): QuietLog {
  const keep =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields: { ...bound, ...fields } });
    };
  return {
    lines,
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    with: (fields) => quietLog({ ...bound, ...fields }, lines),
  };
}
