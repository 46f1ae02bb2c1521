import { createConnectTransport } from '@connectrpc/connect-web';
import { createClient } from '@palyra/client';
import { provenFetch } from '../session/proof.ts';

/** Every service of the gateway that serves this page, asked with this page's session. */
export const gateway = createClient(
  createConnectTransport({
    baseUrl: location.origin,
    useBinaryFormat: true,
    fetch: provenFetch,
  }),
);
