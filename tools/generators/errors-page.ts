import { ERRORS } from '@palyra/kernel';
import { generatedFrom, table } from './generator.ts';

export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { wire, meaning, help }]) => [
    `\`${code}\``,
    `\`${wire}\``,
    meaning,
    help,
  ]);
  return `# Errors

${generatedFrom('packages/kernel/src/errors.ts')}

Every fault that can leave Palyra. The code never changes its meaning; the message around it may.

${table(['code', 'wire status', 'what happened', 'what to do'], rows)}
`;
}
