import type { SandboxStep, TierStanding } from '@palyra/protocol';
import { Badge, Card, Facts, Fold, When, Words } from '@palyra/ui';
import { ProbeTable } from './probe-table.tsx';
import { TierBadge } from './tier-badge.tsx';

export function TierCard({ tier }: { readonly tier: TierStanding }) {
  return (
    <Card title={`Tier ${tier.tier}`} aside={<TierBadge state={tier.state} />}>
      <Facts
        facts={[
          ['Because', <Words key="because" text={tier.reason} />],
          ...(tier.help === ''
            ? []
            : [['What to do', <Words key="help" text={tier.help} />] as const]),
          ...(tier.executor === '' ? [] : [['Made by', makerWords(tier.executor)] as const]),
          ['Tried', <When key="tried" at={tier.triedAt} />],
        ]}
      />
      {tier.weaknesses.length === 0 ? null : (
        <>
          <h3 className="mt-4 text-sm font-medium">What it does not hold even so</h3>
          <ul className="mt-1 list-disc pl-5 text-sm text-soft">
            {tier.weaknesses.map((weakness) => (
              <li key={weakness}>
                <Words text={weakness} />
              </li>
            ))}
          </ul>
        </>
      )}
      {tier.steps.length === 0 ? null : (
        <div className="mt-4 flex flex-col gap-2">
          {tier.steps.map((step) => (
            <Step key={step.step} step={step} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Step({ step }: { readonly step: SandboxStep }) {
  const held = step.probes.filter(({ holds }) => holds).length;
  return (
    <Fold
      summary={
        <>
          <span className="font-medium">{step.step}</span>
          <Badge tone={step.isProven ? 'good' : 'bad'}>
            {step.isProven ? 'proven' : 'refused'}
          </Badge>
          <span className="text-soft">
            {step.refusal === '' ? `${held} of ${step.probes.length} attacks failed` : step.refusal}
          </span>
        </>
      }
    >
      {step.probes.length === 0 ? null : (
        <div className="border-t border-line">
          <ProbeTable probes={step.probes} label={`Attacks on ${step.step}`} />
        </div>
      )}
    </Fold>
  );
}

/** `sandbox_tier_c_linux_bubblewrap` is `linux bubblewrap`. */
function makerWords(executor: string): string {
  return executor.replace(/^sandbox_tier_[a-c]_/, '').replaceAll('_', ' ');
}
