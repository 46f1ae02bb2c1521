import type { Transport } from '@connectrpc/connect';
import { type Clock, type ErrorCode, PalyraError, type Places, systemClock } from '@palyra/kernel';
import { explainingStreams } from './broken-streams.ts';
import { chooseGateway } from './choose-gateway.ts';
import { type PalyraClient, createClient } from './client.ts';
import { type DeviceIdentity, LOCAL, toTlsGateway } from './device-identity.ts';
import { DeviceStore } from './device-store.ts';
import { toPalyraError } from './errors.ts';
import { localIdentity } from './local-device.ts';
import { namingErrors } from './named-errors.ts';
import { type Renewal, isExpired, isRenewalDue, renew } from './renew.ts';
import { grpcOverTls } from './tls-transports.ts';

/** Commands end only after it: a gateway that is slow to renew must not keep a person waiting. */
const RENEWAL_PATIENCE_MS = 15_000;

export interface GatewayWish {
  readonly places: Places;
  /** Absent: this machine's own, or the only one that is paired. */
  readonly gateway?: string | undefined;
  /** What this device is called where it has to enrol. */
  readonly deviceName: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** What was known about the gateway on this machine was damaged, and now lies here. */
  readonly onSetAside?: ((path: string) => void) | undefined;
}

/** A gateway that this device is known to. Disposing waits for a renewal that is under way. */
export interface OpenGateway extends AsyncDisposable {
  readonly identity: DeviceIdentity;
  readonly client: PalyraClient;
  readonly transport: Transport;
  /** What became of the certificate; absent where it was not due. Contract: never rejects. */
  readonly renewal: Promise<Renewal> | undefined;
}

/**
 * Finds the gateway and who we are to it; opens no connection in the ordinary case. On the gateway's
 * own machine it enrols by itself. Contract: DAEMON_UNREACHABLE, NOT_PAIRED, HOME_UNSAFE.
 */
export async function openGateway(wish: GatewayWish): Promise<OpenGateway> {
  const clock = wish.clock ?? systemClock();
  const gateway = await chooseGateway(wish.places, wish.gateway);
  const identity = await identityFor(gateway, { ...wish, clock });
  const transport = withWayOut(explainingStreams(grpcOverTls(toTlsGateway(identity))), identity);
  const client = createClient(transport);
  const renewal = isRenewalDue(identity, clock.now())
    ? renew(identity, {
        store: new DeviceStore(wish.places.gatewaysDir),
        client,
        clock,
        signal: AbortSignal.timeout(RENEWAL_PATIENCE_MS),
      })
    : undefined;
  return {
    identity,
    client,
    transport,
    renewal,
    [Symbol.asyncDispose]: async () => void (await renewal),
  };
}

const SHUT_OUT: ReadonlySet<ErrorCode> = new Set([
  'DEVICE_REVOKED',
  'NOT_PAIRED',
  'UNAUTHENTICATED',
]);

/** Who is shut out hears how to get in again, in words that can be typed. */
function withWayOut(transport: Transport, identity: DeviceIdentity): Transport {
  return namingErrors(transport, (reason, signal) => {
    const error = toPalyraError(reason, signal);
    if (!SHUT_OUT.has(error.code)) return error;
    return new PalyraError(error.code, error.message, { cause: error, help: wayIn(identity) });
  });
}

function wayIn({ gateway, address }: DeviceIdentity): string {
  return gateway === LOCAL
    ? 'enrol this device anew with `palyra pair local`'
    : `pair again with \`palyra pair ${address} --as ${gateway}\``;
}

async function identityFor(
  gateway: string,
  wish: GatewayWish & { readonly clock: Clock },
): Promise<DeviceIdentity> {
  const { places, clock } = wish;
  const signal = wish.signal ?? new AbortController().signal;
  if (gateway === LOCAL) return await localIdentity({ ...wish, signal });
  const identity = await new DeviceStore(places.gatewaysDir).load(gateway);
  if (identity === undefined) {
    throw new PalyraError('NOT_PAIRED', `this device is not paired with \`${gateway}\``, {
      help: `pair it with \`palyra pair HOST --as ${gateway}\``,
    });
  }
  if (isExpired(identity, clock.now())) throw expired(identity);
  return identity;
}

function expired(identity: DeviceIdentity): PalyraError {
  const { gateway, notAfter } = identity;
  return new PalyraError(
    'NOT_PAIRED',
    `the certificate of this device for \`${gateway}\` expired on ${notAfter.slice(0, 10)}`,
    { help: wayIn(identity) },
  );
}
