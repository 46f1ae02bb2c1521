import { isAbsolute } from 'node:path';
import * as z from 'zod';

/** The section `models` of palyra.toml. */
export const modelsSection = z.strictObject({
  provider: z
    .enum(['script'])
    .default('script')
    .describe('which model answers; only the script exists in this build, providers follow'),
  script: z
    .string()
    .max(4096)
    .refine((path) => path === '' || isAbsolute(path), 'has to be an absolute path, or empty')
    .default('')
    .describe('absolute path of the script to play; empty for the built-in one'),
});
