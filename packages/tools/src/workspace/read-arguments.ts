import { type JsonObject, PalyraError } from '@palyra/kernel';
import type * as z from 'zod';

/** Contract: canonical arguments mean themselves, so reading them once more gives them back, typed. */
export function readArguments<Args>(schema: z.ZodType<Args>, args: JsonObject): Args {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new PalyraError('TOOL_ARGUMENTS_INVALID', 'the arguments are not those of the tool', {
    cause: parsed.error,
  });
}
