import type { SandboxPool } from '@palyra/protocol';
import { Card, Facts } from '@palyra/ui';

export interface PoolCardProps {
  readonly pool: SandboxPool;
  readonly egress: string;
}

export function PoolCard({ pool, egress }: PoolCardProps) {
  return (
    <Card title="Ready and busy">
      <Facts
        facts={[
          ['Ready made', `${pool.warm} of at most ${pool.maxWarm}`],
          ['For one session', `at most ${pool.maxWarmPerSession}`],
          ['Commands under way', `${pool.busy} of at most ${pool.maxBusy}`],
          ['Commands that wait', `${pool.waiting} of at most ${pool.maxWaiting}`],
          ['Thrown away after', `${Math.round(pool.maxAgeMs / 1_000)} s without use`],
          ['Network by default', egress],
        ]}
      />
    </Card>
  );
}
