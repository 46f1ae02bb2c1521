import { Page } from '@palyra/ui';
import { Permission } from '@palyra/protocol';
import { useMay } from '../app/caller.ts';
import { ActiveRuns } from './active-runs.tsx';
import { ActivityCharts } from './activity-charts.tsx';
import { GatewayCard } from './gateway-card.tsx';
import { LatelyCard } from './lately-card.tsx';
import { PolicyCard } from './policy-card.tsx';
import { TiersCard } from './tiers-card.tsx';
import { WaitingForMe } from './waiting-for-me.tsx';

/** Is all well, what waits for me, what goes on, and what has been going on. */
export function HomePage() {
  const mayRead = useMay(Permission.OBSERVABILITY_READ);
  const mayAnswer = useMay(Permission.APPROVALS_ANSWER);
  const mayRun = useMay(Permission.SESSIONS_USE);
  return (
    <Page title="Home">
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {mayAnswer ? <WaitingForMe /> : null}
        {mayRun ? <ActiveRuns /> : null}
      </div>
      {mayRead ? <ActivityCharts /> : null}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        <GatewayCard />
        {mayRead ? <PolicyCard /> : null}
        {mayRead ? <TiersCard /> : null}
      </div>
      {mayRead ? <LatelyCard /> : null}
    </Page>
  );
}
