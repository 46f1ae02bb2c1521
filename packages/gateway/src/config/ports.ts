import type { GetConfigResponse } from '@palyra/protocol';

/** What people ask about the configuration that the daemon was started with. */
export interface ConfigDesk {
  /** Contract: at hand, and the same until the next start. No value of a secret is in it. */
  show(): GetConfigResponse;
}
