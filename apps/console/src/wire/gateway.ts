import { createConnectTransport } from '@connectrpc/connect-web';
import { createClient } from '@palyra/client';
import { watchedFetch } from '../session/ended.ts';

/** Every service of the gateway that serves this page, asked with this page's session. */
export const gateway = createClient(
  createConnectTransport({
    baseUrl: location.origin,
    useBinaryFormat: true,
    fetch: watchedFetch,
  }),
);
