import type { Json } from './canonical-json.ts';

export type LogFields = Readonly<Record<string, Json | undefined>>;

/**
 * The operator's log. A constant message, values as fields; what lasts (a run id) is bound once
 * with `with`. Redaction happens behind this port, never at the call.
 */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
}
