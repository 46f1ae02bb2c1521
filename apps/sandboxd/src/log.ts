import { type Log, type LogFields, redact } from '@palyra/kernel';

/** What goes wrong here, a line each, to whoever started this process; nothing else is said. */
export function createLog(write: (line: string) => void, bound: LogFields = {}): Log {
  const say = (message: string, fields: LogFields = {}) =>
    write(`${message} ${JSON.stringify(redact({ ...bound, ...fields }))}\n`);
  return {
    debug: () => {},
    info: () => {},
    warn: say,
    error: say,
    with: (fields) => createLog(write, { ...bound, ...fields }),
  };
}
