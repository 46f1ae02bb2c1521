import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { MAX_URL_LENGTH, parseBaseUrl } from './base-url.ts';
import { MAX_FAILOVER, MAX_FAILOVER_LENGTH, parseFailover } from './failover-entry.ts';
import { MAX_MODEL_NAME, isModelName } from './model-name.ts';
import { MAX_PRICES, MAX_PRICE_LENGTH, parsePrice } from './price-entry.ts';

const MAX_PATH = 4096;
const MAX_CHOICES = 32;
const HOUR_MS = 60 * 60 * 1000;

/** The section `models` of palyra.toml. None of it can be set by a workspace. */
export const modelsSection = z
  .strictObject({
    provider: z
      .enum(['script', 'openai', 'anthropic', 'google'])
      .default('script')
      .describe(
        'which model answers: the embedded script, which is not a language model; OpenAI and every server that speaks its API; Anthropic; Google',
      ),
    script: z
      .string()
      .max(MAX_PATH)
      .refine((path) => path === '' || isAbsolute(path), 'has to be an absolute path, or empty')
      .default('')
      .describe('absolute path of the script to play; empty for the built-in one'),
    model: z
      .string()
      .max(MAX_MODEL_NAME)
      .refine((name) => name === '' || isModelName(name), 'has to be a name that can be seen')
      .default('')
      .describe("the provider's name for the model; the script needs none"),
    base_url: z
      .string()
      .max(MAX_URL_LENGTH)
      .refine((url) => url === '' || parseBaseUrl(url) !== undefined, 'has to be a plain URL')
      // What makes it none is often a password.
      .meta({ secret: 'when-refused' })
      .default('')
      .describe(
        "where the API is, for example `http://127.0.0.1:11434/v1`; empty for the provider's own",
      ),
    plain_text: z
      .enum(['loopback', 'anywhere'])
      .default('loopback')
      .describe('where a `base_url` without encryption may lead: to this machine, or anywhere'),
    api: z
      .enum(['chat', 'responses'])
      .default('chat')
      .describe(
        'which API of openai is spoken where a model does not name its own: chat completions, which all servers have, or responses',
      ),
    key_env: z
      .string()
      .max(128)
      .refine((name) => name === '' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name), 'has to be a name')
      .default('')
      .describe(
        "the variable that holds the key; empty for `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GEMINI_API_KEY`, which are sent to the provider's own address only",
      ),
    key_file: z
      .string()
      .max(MAX_PATH)
      .refine((path) => path === '' || isAbsolute(path), 'has to be an absolute path, or empty')
      .default('')
      .describe('absolute path of a file of mode 600 that holds the key, in place of a variable'),
    max_output_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(16_384)
      .describe('the longest answer in one turn, in tokens'),
    connect_timeout_ms: z
      .int()
      .min(10)
      .max(120_000)
      .default(10_000)
      .describe('how long connecting to the provider may take'),
    first_byte_timeout_ms: z
      .int()
      .min(10)
      .max(HOUR_MS)
      .default(180_000)
      .describe('how long the provider may take until it begins to answer'),
    idle_timeout_ms: z
      .int()
      .min(10)
      .max(HOUR_MS)
      .default(120_000)
      .describe('how long a model may be silent in the middle of an answer'),
    total_timeout_ms: z
      .int()
      .min(10)
      .max(HOUR_MS)
      .default(900_000)
      .describe('how long one answer may take in all'),
    attempts: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe(
        'how often a request is sent to a model at most when it fails in a way that may pass; what it had said of that answer then counts for nothing',
      ),
    retry_wait_ms: z
      .int()
      .min(0)
      .max(600_000)
      .default(60_000)
      .describe(
        'how long to wait for one answer at most, all waits between attempts and for a provider that is paused together',
      ),
    reasoning: z
      .enum(['default', 'low', 'medium', 'high'])
      .default('default')
      .describe(
        'how much the model shall think before it answers; `default` leaves it to the provider, and is what models without this need',
      ),
    reasoning_tokens: z
      .int()
      .min(1_024)
      .max(1_000_000)
      .optional()
      .describe(
        'how many tokens it may think for, with models of anthropic and google that take a number in place of a word; `models.reasoning` has to be set too',
      ),
    failover: listOfModels(MAX_FAILOVER).describe(
      'models to ask in this order when the first one fails for good: `PROVIDER:MODEL`, then `@BASE_URL` and `#KEY_ENV` where they differ; `openai+chat:` and `openai+responses:` where the API does',
    ),
    choices: listOfModels(MAX_CHOICES).describe(
      'models that a run may ask for in place of the first, written as in `models.failover`; empty for none',
    ),
    prices: z
      .array(
        z
          .string()
          .max(MAX_PRICE_LENGTH)
          .refine(
            (text) => parsePrice(text) !== undefined,
            'has to be PROVIDER:MODEL INPUT OUTPUT, then CACHED and CACHE_WRITE',
          ),
      )
      .max(MAX_PRICES)
      .default([])
      .describe(
        'what models cost, in US dollars for a million tokens: `PROVIDER:MODEL INPUT OUTPUT`, then `CACHED` and `CACHE_WRITE` where input from and to the cache of the provider costs less or more; a model that is not here has no cost',
      ),
  })
  .describe('which models answer, and what they may cost');

export type ModelsSettings = DeepReadonly<z.infer<typeof modelsSection>>;

type DeepReadonly<T> = {
  readonly [Key in keyof T]: T[Key] extends (infer Item)[] ? readonly Item[] : T[Key];
};

function listOfModels(most: number) {
  return z
    .array(
      z
        .string()
        .max(MAX_FAILOVER_LENGTH)
        .refine((text) => parseFailover(text) !== undefined, 'has to be PROVIDER:MODEL'),
    )
    .max(most)
    .default([]);
}
