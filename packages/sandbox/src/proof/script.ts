import { shellWord } from '../tier-b-process/shell-word.ts';
import { type Probe, WORKED } from './probe.ts';

/**
 * One line for each probe on its output: the id, a tab, and what was observed. An attempt that fails
 * tells the last part of the complaint, which is the kernel's: `cannot create /usr/x: Read-only …`.
 */
const PRELUDE = [
  `say() { printf '%s\\t%s\\n' "$1" "$2"; }`,
  `attempt() { if m=$( { eval "$2"; } 2>&1 ); then say "$1" ${shellWord(WORKED)}; else say "$1" "\${m##*: }"; fi; }`,
  `look() { m=$( eval "$2" 2>&1 ); say "$1" "$m"; }`,
];

export function scriptOf(probes: readonly Probe[], end: readonly string[] = []): string {
  const lines = probes.map(({ kind, id, line }) => `${kind} ${id} ${shellWord(line)}`);
  return [...PRELUDE, ...lines, ...end, ''].join('\n');
}

const ANSWER = /^([a-z]+\.[a-z-]+)\t(.*)$/;
const MAX_OBSERVED = 200;

/** What was observed, by the probe's id; a line that begins no answer belongs to the one before. */
export function readAnswers(output: string): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  let last = '';
  for (const line of output.split('\n')) {
    const [, id = last, text = line] = ANSWER.exec(line) ?? [];
    if (id === '') continue;
    last = id;
    answers.set(id, [answers.get(id), text.trim()].filter(Boolean).join(' '));
  }
  return new Map([...answers].map(([id, text]) => [id, text.slice(0, MAX_OBSERVED)]));
}
