import * as z from 'zod';
import { MODES } from './model.ts';

/** The `[policy]` section of palyra.toml. */
export const policySection = z
  .object({
    // Declared from narrow to wide: a workspace may choose one that stands earlier.
    mode: z
      .enum(MODES)
      .default('ask')
      .meta({ narrows: 'earlier' })
      .describe(
        'how much is done by itself: nothing that changes anything, only what no rule wants a person for, or also what is of low risk in a proven sandbox',
      ),
  })
  .strict()
  .describe('the rules that decide every call');

export type PolicySettings = z.infer<typeof policySection>;
