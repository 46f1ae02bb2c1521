import { useEffect, useRef } from 'react';
import type { PolicyRule, RuleActivity } from '@palyra/protocol';
import { Badge, Fold, When } from '@palyra/ui';
import { CedarBlock } from '../cedar-text.tsx';

export interface RuleRowProps {
  readonly rule: PolicyRule;
  readonly use: RuleActivity | undefined;
  readonly days: number;
  /** Whether it is known how often rules decided. */
  readonly isCounted: boolean;
  /** Whether somebody came here for this one. */
  readonly isMeant: boolean;
}

export function RuleRow({ rule, use, days, isCounted, isMeant }: RuleRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isMeant) return;
    row.current?.scrollIntoView({ block: 'start' });
    row.current?.querySelector('summary')?.focus({ preventScroll: true });
  }, [isMeant]);
  const count = use?.count ?? 0n;
  return (
    <li ref={row} className="scroll-mt-18">
      <Fold
        look="row"
        isOpen={isMeant}
        summary={
          <>
            <Badge tone={toneOf(rule)}>{kindOf(rule)}</Badge>
            <span className="min-w-0 flex-1">
              <code className="font-medium wrap-anywhere">{rule.id}</code>
              <span className="block text-soft">{rule.annotations['says'] ?? ''}</span>
            </span>
            <span
              className="w-22 shrink-0 text-right text-xs text-soft"
              title={`in the last ${days} days`}
            >
              {isCounted ? countWords(count) : '…'}
              {use === undefined ? null : (
                <span className="block">
                  <When at={use.lastAt} />
                </span>
              )}
            </span>
          </>
        }
      >
        <div className="flex flex-col gap-2 px-4 pb-3">
          <CedarBlock source={rule.text} label={`Text of ${rule.id}`} />
          <p className="text-xs text-soft">
            {rule.file}, line {rule.line}
          </p>
        </div>
      </Fold>
    </li>
  );
}

function countWords(count: bigint): string {
  return count === 0n ? 'not lately' : `decided ${count} ×`;
}

/** A rule with a gate is one that asks a person. */
function kindOf({ effect, annotations }: PolicyRule): string {
  return annotations['gate'] === undefined ? effect : 'ask';
}

function toneOf(rule: PolicyRule) {
  const kind = kindOf(rule);
  if (kind === 'ask') return 'wait';
  return kind === 'permit' ? 'good' : 'bad';
}
