import type { Finding } from '../doctor/check.ts';
import type { Terminal } from '../terminal.ts';
import { wrap } from './layout.ts';

const LABEL_WIDTH = 18;

export function printFinding(terminal: Terminal, { check, result, detail, fix }: Finding): void {
  const { paint, symbols } = terminal;
  const tone = { ok: 'good', warning: 'warning', failed: 'bad' } as const;
  const symbol = { ok: symbols.done, warning: symbols.warning, failed: symbols.failed };
  const indent = ' '.repeat(LABEL_WIDTH + 2);
  const room = terminal.width - indent.length;
  const [first = '', ...more] = wrap(detail, room);
  terminal.print(`${paint(tone[result], symbol[result])} ${check.padEnd(LABEL_WIDTH)}${first}`);
  for (const line of more) terminal.print(indent + line);
  if (fix === undefined) return;
  for (const line of wrap(`try: ${fix}`, room)) terminal.print(indent + paint('quiet', line));
}
