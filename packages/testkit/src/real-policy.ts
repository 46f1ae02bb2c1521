import { join } from 'node:path';
import type { GatewayParts } from '@palyra/gateway';
import type { Journal } from '@palyra/journal';
import type { Clock } from '@palyra/kernel';
import { type Mode, type Policy, createPolicy } from '@palyra/policy';
import { createCatalogue } from '@palyra/tools';
import { quietLog } from './quiet-log.ts';
import type { TempHome } from './temp-home.ts';

export interface PolicyGround {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly home: TempHome;
  readonly mode: Mode;
}

export interface RealPolicy {
  readonly parts: Pick<GatewayParts, 'catalogue' | 'policy' | 'policyDesk'>;
  readonly policy: Policy;
}

/** The rules that come with the gateway and the operator's of this home; none of this machine's. */
export async function realPolicy({
  journal,
  clock,
  home,
  mode,
}: PolicyGround): Promise<RealPolicy> {
  const catalogue = createCatalogue();
  const policy = createPolicy({
    records: journal.records,
    journal,
    clock,
    log: quietLog(),
    mode,
    tools: catalogue.all(),
    dirs: { operator: join(home.places.configDir, 'policies') },
    own: {
      workspace: join(home.path, 'workspace'),
      folders: [home.places.configDir, home.places.stateDir],
    },
  });
  await policy.start();
  return {
    policy,
    parts: { catalogue: { ...catalogue, offered: () => [] }, policy, policyDesk: policy.desk },
  };
}
