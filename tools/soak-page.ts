import { table } from './generators/generator.ts';

export interface SoakResult {
  readonly campaign: string;
  readonly seed: number;
  readonly date: string;
  readonly commit: string;
  readonly minutes: string;
  readonly outcome: string;
}

const HEAD = ['campaign', 'outcome', 'seed', 'date', 'commit', 'minutes'];

/** The page with this result in the place of the campaign's last one. */
export function withResult(page: string, result: SoakResult): string {
  const row = [
    result.campaign,
    result.outcome,
    String(result.seed),
    result.date,
    result.commit,
    result.minutes,
  ];
  const rows = [...rowsOf(page).filter(([name]) => name !== result.campaign), row];
  return `# Long campaigns

The last result of each campaign of \`npm run soak\`. A result can be had again with
\`npm run soak -- CAMPAIGN --seed SEED\` at its commit.

${table(
  HEAD,
  rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
)}
`;
}

function rowsOf(page: string): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));
}
