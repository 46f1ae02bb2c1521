import { z } from 'zod';

const limitShape = z.union([
  z.strictObject({ atMost: z.number() }),
  z.strictObject({ atLeast: z.number() }),
]);

const decidedBy = z.enum(['best', 'p95']).optional();

const targetShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['ratio', 'difference']),
    subject: z.string(),
    baseline: z.string(),
    limit: limitShape,
    by: decidedBy,
  }),
  z.strictObject({
    kind: z.literal('value'),
    subject: z.string(),
    limit: limitShape,
    by: decidedBy,
  }),
]);

/** What the process of one figure hands to the process that runs them all. */
const outcomeShape = z.strictObject({
  says: z.string(),
  notes: z.array(z.string()),
  /** Of the process that measured, when it had finished: starting a child costs more in a large one. */
  parentRssMb: z.number(),
  runs: z.array(
    z.strictObject({
      title: z.string(),
      quantity: z.strictObject({
        unit: z.enum(['ms', 'µs', 'MB', 'KB', '/s', 'of 100']),
        better: z.enum(['lower', 'higher']),
      }),
      series: z.record(z.string(), z.array(z.number())),
    }),
  ),
  verdicts: z.array(
    z.strictObject({
      target: targetShape,
      unit: z.string(),
      decisive: z.number(),
      byBest: z.number(),
      isMet: z.boolean(),
      used: z.number(),
    }),
  ),
});

export type Outcome = z.infer<typeof outcomeShape>;

export function parseOutcome(text: string): Outcome {
  return outcomeShape.parse(JSON.parse(text));
}
