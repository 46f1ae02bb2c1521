import type { Outcome } from '../outcome.ts';
import { limitWords, subjectWords, withUnit } from './numbers.ts';

const WIDTH = 860;
const BAR_LEFT = 330;
/** Where a target is used up. */
const LIMIT_X = 570;
/** Bars end here however far the target is missed; the number beside them tells how far. */
const BAR_END = 630;
const TEXT_LEFT = 645;
const TOP = 56;
const ROW = 26;
const BAR = 14;

/** Colours for light and dark pages; where a viewer ignores the query, the light ones stay readable. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .quiet { fill: #59636e }
  .missed-text { font-weight: 700 }
  .met { fill: #2a7f62 }
  .missed { fill: #c4451c }
  .track { fill: #818b98; fill-opacity: .18 }
  .limit { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .met { fill: #4cc38a }
    .missed { fill: #ff8b5e }
    .limit { stroke: #9198a1 }
  }
`;

/** One bar a target: how much of what it allows is used. */
export function picture(verdicts: Outcome['verdicts']): string {
  const bottom = TOP + verdicts.length * ROW;
  const met = verdicts.filter(({ isMet }) => isMet).length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 34}" width="${WIDTH}" height="${bottom + 34}" role="img" aria-labelledby="title">
<title id="title">How much of each target is used: ${met} of ${verdicts.length} targets met</title>
<style>${STYLE}</style>
<text class="quiet" x="${BAR_LEFT}" y="24">shorter is better</text>
<text class="quiet" x="${LIMIT_X}" y="24" text-anchor="middle">target</text>
${verdicts.map(row).join('\n')}
<line class="limit" x1="${LIMIT_X}" y1="32" x2="${LIMIT_X}" y2="${bottom}"/>
<text class="quiet" x="${BAR_LEFT}" y="${bottom + 20}">share of what the target allows, by medians (or p95) of one interleaved run</text>
</svg>
`;
}

function row(verdict: Outcome['verdicts'][number], index: number): string {
  const { target, unit, decisive, isMet, used } = verdict;
  const top = TOP + index * ROW - 10;
  const baseline = top + BAR - 3;
  const width = Math.min(Math.max(used, 0) * (LIMIT_X - BAR_LEFT), BAR_END - BAR_LEFT);
  const outcome = isMet ? 'met' : 'missed';
  const words = `${withUnit(decisive, unit)} (${limitWords(target.limit, unit)})`;
  return [
    `<text x="${BAR_LEFT - 12}" y="${baseline}" text-anchor="end">${escaped(subjectWords(target))}</text>`,
    `<rect class="track" x="${BAR_LEFT}" y="${top}" width="${LIMIT_X - BAR_LEFT}" height="${BAR}"/>`,
    `<rect class="${outcome}" x="${BAR_LEFT}" y="${top}" width="${width.toFixed(1)}" height="${BAR}"/>`,
    `<text class="${outcome}-text" x="${TEXT_LEFT}" y="${baseline}">${escaped(words)}${isMet ? '' : ' missed'}</text>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
