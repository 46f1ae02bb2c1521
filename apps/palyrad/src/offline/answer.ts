import { PalyraError } from '@palyra/kernel';

/** The shape that `palyra` reads and scripts may rely on. */
const FORMAT = 'palyra.cli.v1';

export function answerJson(kind: string, fields: object): string {
  return `${JSON.stringify({ format: FORMAT, kind, ...fields })}\n`;
}

/** A fault of the configuration lists its problems too. */
export function failureJson(reason: unknown): string {
  const error = PalyraError.from(reason);
  const { code, message, help } = error;
  const problems = 'problems' in error ? error.problems : undefined;
  return answerJson('error', { error: { code, message, help, problems } });
}
