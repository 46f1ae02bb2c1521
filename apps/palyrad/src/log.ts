import { type Log, type LogFields, redact } from '@palyra/kernel';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogSettings } from './log-section.ts';
import { prettyLine } from './pretty-line.ts';

const STDERR = 2;

export interface LogOutput {
  readonly isTerminal: boolean;
  /** Where pretty lines go; JSON goes to the same place by its number. */
  write(line: string): void;
}

/** The operator's log, on standard error. Nothing reaches it without passing redaction. */
export function createLog(settings: Readonly<LogSettings>, output: LogOutput): Log {
  const isPretty =
    settings.format === 'pretty' || (settings.format === 'auto' && output.isTerminal);
  const destination: DestinationStream = isPretty
    ? { write: (line) => output.write(prettyLine(line)) }
    : // Synchronous: the last line before a crash is the one that matters.
      pino.destination({ dest: STDERR, sync: true });
  return fromPino(
    pino(
      {
        level: settings.level,
        base: null,
        messageKey: 'message',
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      destination,
    ),
  );
}

function fromPino(logger: Logger): Log {
  return {
    debug: (message, fields) => logger.debug(clean(fields), message),
    info: (message, fields) => logger.info(clean(fields), message),
    warn: (message, fields) => logger.warn(clean(fields), message),
    error: (message, fields) => logger.error(clean(fields), message),
    with: (fields) => fromPino(logger.child(clean(fields))),
  };
}

function clean(fields: LogFields = {}): object {
  const cleaned = redact(fields);
  return typeof cleaned === 'object' && cleaned !== null ? cleaned : { fields: cleaned };
}
