import type { Requirement } from '../../tests/requirements.ts';
import type { Citation } from '../guards/check-requirements.ts';
import { generatedFrom, table } from './generator.ts';

/** Every promise, in the order of the file, with the tests that prove it. */
export function requirementsPage(
  requirements: Readonly<Record<string, Requirement>>,
  citations: readonly Citation[],
): string {
  const groups = Map.groupBy(Object.entries(requirements), ([id]) => id.split(':', 1).join(''));
  const sections = Array.from(groups, ([area, entries]) => {
    const rows = entries.map(([id, { says, threat = '', on = [] }]) => [
      `\`${id}\``,
      on.length === 0 ? says : `${says} (${on.join(', ')})`,
      threat,
      provenBy(id, citations),
    ]);
    return `## ${area}\n\n${table(['id', 'promise', 'against', 'proven by'], rows)}`;
  });
  return `# Requirements

${generatedFrom('tests/requirements.ts')}

What Palyra promises, and the tests that prove it. A promise without a passing test fails \`npm test\`.

${sections.join('\n\n')}
`;
}

function provenBy(id: string, citations: readonly Citation[]): string {
  const paths = citations.filter((citation) => citation.id === id).map(({ path }) => path);
  return [...new Set(paths)].map((path) => `[${path}](../../${path})`).join(', ');
}
