import type { PolicyGate } from '@palyra/protocol';
import { Words } from '@palyra/ui';
import { inline, sentence } from './call-words.ts';
import { demandWords } from './standing.ts';
import { SeverityBadge } from './status-badge.tsx';

/** The rules that ask, and what each demands. */
export function GateList({ gates }: { readonly gates: readonly PolicyGate[] }) {
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {gates.map((gate) => (
        <li key={gate.ruleId} className="flex flex-col gap-0.5">
          <span className="flex flex-wrap items-center gap-2">
            <SeverityBadge severity={inline(gate.severity)} />
            <span className="font-medium">
              <Words text={sentence(inline(gate.says))} />
            </span>
          </span>
          <span className="text-soft">
            Rule <code className="text-[0.8125rem] text-ink">{inline(gate.ruleId)}</code> wants a
            yes of {demandWords(gate)}.
          </span>
        </li>
      ))}
    </ul>
  );
}
