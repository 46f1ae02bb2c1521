import { createConnectTransport } from '@connectrpc/connect-web';
import { createClient, namingErrors, toPalyraError } from '@palyra/client';
import { lookWhetherEnded } from '../session/ended.ts';
import { provenFetch } from '../session/proof.ts';

/** What whoever is not known is refused with. */
const STRANGER: ReadonlySet<string> = new Set(['DEVICE_REVOKED', 'UNAUTHENTICATED']);

const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  fetch: provenFetch,
});

/**
 * Every service of the gateway that serves this page, asked with this page's session. Refused as a
 * stranger, it asks whether the session is over. By the error and not by the status of the answer: a
 * stream is refused in its last message.
 */
export const gateway = createClient(
  namingErrors(transport, (reason, signal) => {
    const error = toPalyraError(reason, signal);
    if (STRANGER.has(error.code)) void lookWhetherEnded();
    return error;
  }),
);
