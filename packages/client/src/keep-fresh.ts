import { type Clock, systemClock } from '@palyra/kernel';
import { type GatewayWish, openGateway } from './connect-to.ts';
import type { DeviceIdentity } from './device-identity.ts';
import { isRenewalDue } from './renew.ts';

/** For programs that run for days: who we are, with a certificate that is renewed when it is due. */
export class FreshIdentity {
  readonly #wish: GatewayWish;
  readonly #clock: Clock;
  #identity: DeviceIdentity;

  constructor(identity: DeviceIdentity, wish: GatewayWish) {
    this.#identity = identity;
    this.#wish = { ...wish, gateway: identity.gateway };
    this.#clock = wish.clock ?? systemClock();
  }

  get latest(): DeviceIdentity {
    return this.#identity;
  }

  /** To be called now and then. Contract: does nothing while the certificate is young. */
  async refresh(): Promise<void> {
    if (!isRenewalDue(this.#identity, this.#clock.now())) return;
    await using gateway = await openGateway(this.#wish);
    const renewal = await gateway.renewal;
    this.#identity = renewal?.identity ?? gateway.identity;
  }
}
