import { Permission, type Sandbox } from '@palyra/protocol';
import { Card, Facts, Page, Problem } from '@palyra/ui';
import { PalyraError } from '@palyra/kernel';
import { useMay } from '../app/caller.ts';
import { Answer } from '../wire/answer.tsx';
import { PoolCard } from './pool-card.tsx';
import { ProveAgain } from './prove-again.tsx';
import { TierCard } from './tier-card.tsx';
import { useSandbox } from './use-sandbox.ts';

/** What holds on this machine, as it was seen. */
export function SandboxPage() {
  const mayProve = useMay(Permission.WORKSPACE_MANAGE);
  const sandbox = useSandbox();
  return (
    <Page
      title="Sandbox"
      says="A tier counts only when every attack on it was tried here and failed"
      actions={mayProve ? <ProveAgain /> : undefined}
    >
      <Answer of={sandbox} lines={10}>
        {({ sandbox: state }) => (state === undefined ? null : <State sandbox={state} />)}
      </Answer>
    </Page>
  );
}

function State({ sandbox }: { readonly sandbox: Sandbox }) {
  const { error, tiers, pool, machine, egress } = sandbox;
  return (
    <>
      {error === undefined ? null : (
        <Problem reason={new PalyraError('SANDBOX_FAILED', error.message, { help: error.help })} />
      )}
      {tiers.toReversed().map((tier) => (
        <TierCard key={tier.tier} tier={tier} />
      ))}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        {pool === undefined ? null : <PoolCard pool={pool} egress={egress} />}
        {machine === undefined ? null : (
          <Card title="This machine">
            <Facts
              facts={[
                ['Kernel', `${machine.kernel}, ${machine.arch}`],
                ['bubblewrap', machine.bubblewrap],
                ['cgroup', machine.cgroup],
                ['User', String(machine.userId)],
                ['Palyra', machine.version],
              ]}
            />
          </Card>
        )}
      </div>
    </>
  );
}
