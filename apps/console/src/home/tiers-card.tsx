import { Card, Words } from '@palyra/ui';
import { TierBadge } from '../sandbox/tier-badge.tsx';
import { Answer } from '../wire/answer.tsx';
import { gatewayLater } from '../wire/second.ts';
import { useAsk } from '../wire/use-ask.ts';
import { More } from './more.tsx';

export function TiersCard() {
  const sandbox = useAsk(['sandbox'], async (signal) =>
    (await gatewayLater()).sandbox.getSandbox({}, { signal }),
  );
  return (
    <Card title="Sandbox" aside={<More to="/sandbox" label="Proof" />}>
      <Answer of={sandbox} lines={4}>
        {({ sandbox: state }) => (
          <ul className="flex flex-col gap-2.5 text-sm">
            {state?.tiers.map((tier) => (
              <li key={tier.tier} className="flex items-start gap-3">
                <span className="w-12 shrink-0 font-medium">Tier {tier.tier}</span>
                <TierBadge state={tier.state} />
                <span className="min-w-0 flex-1 text-soft">
                  <Words text={tier.reason} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Card>
  );
}
