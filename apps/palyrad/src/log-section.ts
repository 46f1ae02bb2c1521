import * as z from 'zod';

/** The `[log]` section of palyra.toml: what the operator sees, not what the auditor keeps. */
export const logSection = z
  .object({
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('the least important line that is still written'),
    format: z
      .enum(['auto', 'pretty', 'json'])
      .default('auto')
      .describe('`pretty` for people, `json` for machines; `auto`: pretty on a terminal'),
  })
  .strict()
  .describe('what the daemon says of itself, for the operator');

export type LogSettings = z.infer<typeof logSection>;
