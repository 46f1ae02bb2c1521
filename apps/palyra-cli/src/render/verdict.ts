import { plural } from '@palyra/client';
import type { Terminal } from '../terminal.ts';
import type { ProbeAnswer, StepAnswer, TierAnswer } from '../verdict-answer.ts';
import { wrap } from './layout.ts';
import { padEnd, textWidth } from './text-width.ts';

const TIER_OF_STEP: Readonly<Record<string, string>> = {
  bubblewrap: 'tier C',
  landlock: 'tier C',
  process: 'tier B',
};
const MARK_WIDTH = 2;
const GAP = 2;
const LEAST_ROOM = 20;

/** What was tried, expected and observed; a long observation goes on below itself. */
export function printStep(terminal: Terminal, step: StepAnswer): void {
  const { paint, symbols } = terminal;
  terminal.print(paint('strong', `${TIER_OF_STEP[step.step] ?? 'tier ?'}, by ${step.step}`));
  if (step.refusal !== '') {
    printLines(terminal, `${symbols.failed} not tried: ${step.refusal}`, 'bad');
  } else {
    printProbes(terminal, step.findings);
  }
  for (const weakness of step.weaknesses) {
    printLines(terminal, `${symbols.warning} ${weakness}`, 'warning');
  }
  terminal.print('');
}

function printProbes(terminal: Terminal, probes: readonly ProbeAnswer[]): void {
  const { paint, symbols } = terminal;
  const says = widest(probes.map((probe) => probe.says).concat('tried'));
  const expected = widest(probes.map((probe) => probe.expected).concat('expected'));
  const line = (first: string, second: string) =>
    `${padEnd(first, says + GAP)}${padEnd(second, expected + GAP)}`;
  const indent = MARK_WIDTH + says + expected + 2 * GAP;
  const room = Math.max(terminal.width - indent, LEAST_ROOM);
  const heading = `${' '.repeat(MARK_WIDTH)}${line('tried', 'expected')}observed`;
  terminal.print(paint('quiet', heading));
  for (const probe of probes) {
    const mark = probe.holds ? paint('good', symbols.done) : paint('bad', symbols.failed);
    const [first = '', ...more] = wrap(probe.observed, room);
    terminal.print(`${mark} ${line(probe.says, probe.expected)}${first}`);
    for (const rest of more) terminal.print(' '.repeat(indent) + rest);
  }
}

/** One tier, why it is so, and what is weaker than it could be. */
export function printTier(terminal: Terminal, tier: TierAnswer): void {
  const { paint, symbols } = terminal;
  const head = `tier ${tier.tier}`;
  const by = tier.step === '' ? '' : `, by ${tier.step}`;
  switch (tier.state) {
    case 'proven':
      terminal.print(`${paint('good', symbols.done)} ${head} is proven${by}: ${tier.reason}`);
      break;
    case 'not-built':
      terminal.print(`${paint('quiet', symbols.none)} ${head} is not built: ${tier.reason}`);
      break;
    default:
      printLines(terminal, `${symbols.failed} ${head} is refused: ${tier.reason}`, 'bad');
  }
  for (const weakness of tier.weaknesses) {
    printLines(terminal, `  ${symbols.warning} ${weakness}`, 'warning');
  }
  if (tier.help !== '') printLines(terminal, `  try: ${tier.help}`, 'quiet');
}

/** The first word is a sign; what goes on below stands under the second. */
export function printLines(
  terminal: Terminal,
  text: string,
  tone: 'bad' | 'warning' | 'quiet',
): void {
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  const indent = ' '.repeat(lead + MARK_WIDTH);
  const [first = '', ...more] = wrap(text.trimStart(), terminal.width - indent.length);
  terminal.print(' '.repeat(lead) + terminal.paint(tone, first));
  for (const line of more) terminal.print(indent + terminal.paint(tone, line));
}

export function provenWords(steps: readonly StepAnswer[]): string {
  const findings = steps.flatMap((step) => step.findings);
  const through = findings.filter(({ holds }) => !holds);
  if (findings.length === 0) return 'nothing could be tried';
  if (through.length === 0) return `${plural(findings.length, 'attack')}, none came through`;
  return `${through.length} of ${plural(findings.length, 'attack')} not refused as they must be`;
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(textWidth));
}
