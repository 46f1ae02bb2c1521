import { systemClock } from '@palyra/kernel';
import { type Policy, type PolicyParts, createPolicy } from '@palyra/policy';
import { quietLog } from './quiet-log.ts';

/** The rules that come with the gateway, read when somebody asks, and nothing kept of it. */
export function shippedRules(): Pick<Policy, 'authorise' | 'touch'> {
  return createPolicy({
    records: FORGETFUL,
    journal: { append: async () => [] },
    clock: systemClock(),
    log: quietLog(),
    mode: 'ask',
    dirs: {},
    own: { workspace: '/', folders: [] },
    tools: [],
  });
}

const FORGETFUL: PolicyParts['records'] = {
  get: async () => undefined,
  list: async () => [],
  count: async () => 0,
  revision: () => 0,
  transact: async () => [],
};
