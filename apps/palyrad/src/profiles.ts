import { PROFILES as DESCRIBED, type Profiles } from '@palyra/config';

const ON_THE_NETWORK = {
  'transport.listen': '0.0.0.0:7443',
  'log.format': 'json',
} as const;

/** What each profile sets. Any file, variable or flag is stronger. */
export const PROFILES: Profiles = {
  local: {
    ...DESCRIBED.local,
    settings: { 'transport.listen': '127.0.0.1:7443', 'log.format': 'auto' },
  },
  'single-vm': { ...DESCRIBED['single-vm'], settings: ON_THE_NETWORK },
  'worker-enabled': { ...DESCRIBED['worker-enabled'], settings: ON_THE_NETWORK },
};
