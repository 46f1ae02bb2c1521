import * as z from 'zod';

const MOST_WORKSPACES = 64;
/** As long as Linux takes a path. */
const MOST_PATH = 4_096;

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
    max_queued: z
      .int()
      .min(0)
      .max(256)
      .default(16)
      .meta({ narrows: 'lower' })
      .describe('runs that may wait in one session for the run before them; more are refused'),
    context_tokens: z
      .int()
      .min(32_768)
      .max(2_000_000)
      .default(120_000)
      .meta({ narrows: 'lower' })
      .describe(
        'tokens that a model is told at once, at three bytes each; what is older is told in short. Leave room for its answer',
      ),
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
    max_tokens: z
      .int()
      // Our own words, the tools, a prompt and what is reserved for an answer: with less than this no
      // run would ever ask a model.
      .min(16_384)
      .max(1_000_000_000)
      .default(10_000_000)
      .meta({ narrows: 'lower' })
      .describe(
        'tokens, in and out, that the model may use in one run; the least is what a first turn needs',
      ),
    max_cost_micro_usd: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .default(25_000_000)
      .meta({ narrows: 'lower' })
      .describe(
        'millionths of a US dollar that the model may cost in one run; counted where prices are configured',
      ),
    max_wall_ms: z
      .int()
      .min(1_000)
      .max(604_800_000)
      .default(1_800_000)
      .meta({ narrows: 'lower' })
      .describe('how long one run may work; waiting for a person does not count'),
    max_approvals: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .meta({ narrows: 'lower' })
      .describe('questions that one run may put to people'),
    max_repeats: z
      .int()
      .min(2)
      .max(1_000)
      .default(5)
      .meta({ narrows: 'lower' })
      .describe(
        'times in a row that the same call may have the same result; the model is warned before',
      ),
    max_denials: z
      .int()
      .min(2)
      .max(1_000)
      .default(8)
      .meta({ narrows: 'lower' })
      .describe('calls in a row that may be refused; the model is warned before'),
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
    workspaces: z
      .array(z.string().max(MOST_PATH).startsWith('/', 'is an absolute path'))
      .max(MOST_WORKSPACES)
      .default([])
      .describe('folders that runs may work in, beside the one that the gateway was started in'),
  })
  .strict()
  .describe('bounds of a run');

/** Which folders the workspaces are, their port knows. */
export type RunSettings = Readonly<Omit<z.infer<typeof runsSection>, 'workspaces'>>;
