import * as z from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;
/** A list that a person keeps by hand. */
const MAX_ADDRESSES = 64;

/** The `[http]` section of palyra.toml. */
export const httpSection = z
  .object({
    max_bytes: z
      .int()
      .min(KIB)
      .max(64 * MIB)
      .default(5 * MIB)
      .meta({ narrows: 'lower' })
      .describe(
        'what `http.fetch` takes of one answer; a longer text is cut, anything else refused',
      ),
    timeout_ms: z
      .int()
      .min(100)
      .max(600_000)
      .default(30_000)
      .meta({ narrows: 'lower' })
      .describe('a fetch is given up after this time'),
    private_addresses: z
      .array(
        z
          .string()
          .max(64)
          .regex(/^(?:[\d.]{7,15}|\[[\da-f:.]{2,45}\]):\d{1,5}$/),
      )
      .max(MAX_ADDRESSES)
      .default([])
      .meta({ narrows: 'subset' })
      .describe(
        'addresses of your own network, as `10.0.0.5:443`, that a name may lead to; all others that are not public are refused, and the metadata of a cloud always',
      ),
  })
  .strict()
  .describe('what `http.fetch` may reach, and how much it may take');

/** Frozen, as loaded. */
export interface HttpSettings extends Readonly<
  Omit<z.infer<typeof httpSection>, 'private_addresses'>
> {
  readonly private_addresses: readonly string[];
}
