import type { GetHealthResponse } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, wrap } from './layout.ts';
import { inline } from './words.ts';

export function modelWords(health: GetHealthResponse): string {
  // Said in our words whatever it calls itself: a script must not be taken for a model.
  return health.modelIsScript ? 'a script, not a language model' : inline(health.model);
}

/** What people need to know to use the gateway. */
export function gatewayFields(health: GetHealthResponse): readonly Field[] {
  return [
    ['devices', health.endpoints.map(inline).join(', ')],
    ['console', health.console === '' ? 'switched off' : inline(health.console)],
    ['model', modelWords(health)],
    ['profile', inline(health.profile)],
  ];
}

export function printMissing(terminal: Terminal, health: GetHealthResponse): void {
  if (health.missing.length === 0) return;
  terminal.print(`\n  ${terminal.paint('strong', 'missing')}`);
  for (const { name, reason, help } of health.missing) {
    const mark = terminal.paint('warning', terminal.symbols.warning);
    const lines = wrap(`${inline(name)}: ${inline(reason)}`, terminal.width - 6);
    for (const [place, line] of lines.entries()) {
      terminal.print(`  ${place === 0 ? mark : ' '} ${line}`);
    }
    if (help === '') continue;
    for (const line of wrap(`try: ${inline(help)}`, terminal.width - 6)) {
      terminal.print(`    ${terminal.paint('quiet', line)}`);
    }
  }
}
