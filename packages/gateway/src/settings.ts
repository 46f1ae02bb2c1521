import * as z from 'zod';

/** The `[runs]` section of palyra.toml. */
export const runsSection = z
  .object({
    max_active: z
      .int()
      .min(1)
      .max(10_000)
      .default(256)
      .meta({ narrows: 'lower' })
      .describe('runs that may be active at once; more are refused'),
    max_prompt_bytes: z
      .int()
      .min(1)
      .max(4_194_304)
      .default(262_144)
      .meta({ narrows: 'lower' })
      .describe('longest prompt that is taken'),
    max_turns: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .meta({ narrows: 'lower' })
      .describe('model turns in one run; the run is stopped after that'),
    max_tool_calls: z
      .int()
      .min(1)
      .max(10_000)
      .default(200)
      .meta({ narrows: 'lower' })
      .describe('tool calls in one run; the run is stopped after that'),
    max_turn_bytes: z
      .int()
      .min(1_024)
      .max(2_097_152)
      .default(524_288)
      .meta({ narrows: 'lower' })
      .describe('text and tool arguments that the model may say in one turn'),
    watch_buffer: z
      .int()
      .min(16)
      .max(65_536)
      .default(4_096)
      .describe('events kept for a slow watcher; a slower one is cut off and may come back'),
  })
  .strict();

export type RunSettings = z.infer<typeof runsSection>;
