import * as z from 'zod';

/** The `[budgets]` section of palyra.toml. */
export const budgetsSection = z
  .object({
    day_runs: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10_000)
      .meta({ narrows: 'lower' })
      .describe('runs that one principal may start in a day (UTC)'),
    day_turns: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(50_000)
      .meta({ narrows: 'lower' })
      .describe('turns of models in all runs of one principal in a day (UTC)'),
    day_tool_calls: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(50_000)
      .meta({ narrows: 'lower' })
      .describe('tool calls of all runs of one principal in a day (UTC)'),
    day_tokens: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .default(100_000_000)
      .meta({ narrows: 'lower' })
      .describe('tokens, in and out, of all runs of one principal in a day (UTC)'),
    day_cost_micro_usd: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .default(100_000_000)
      .meta({ narrows: 'lower' })
      .describe(
        'millionths of a US dollar that models may cost one principal in a day (UTC); counted where prices are configured',
      ),
    day_approvals: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(2_000)
      .meta({ narrows: 'lower' })
      .describe('questions that all runs of one principal may put to people in a day (UTC)'),
    day_wall_ms: z
      .int()
      .min(1_000)
      .max(1_000_000_000_000)
      .default(3_600_000_000)
      .meta({ narrows: 'lower' })
      .describe(
        'milliseconds that all runs of one principal together may work in a day (UTC); not while they wait for people',
      ),
  })
  .strict()
  .describe('how much a principal may use in a day');

export type BudgetSettings = z.infer<typeof budgetsSection>;
