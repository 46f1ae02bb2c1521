import { timingSafeEqual } from 'node:crypto';
import { type Clock, PalyraError } from '@palyra/kernel';
import {
  type ConsoleSession,
  type Device,
  DeviceState,
  type Member,
  PrincipalKind,
  type Token,
  type TokenRate,
} from '@palyra/protocol';
import type { Authorities } from '../authority/authorities.ts';
import type { Caller, Standing } from '../caller.ts';
import { isLive } from '../console/console-sessions.ts';
import type { Row } from '@palyra/records';
import { hashOf, isSecret } from '../registry/secret.ts';
import { revisionOf, type Tables } from '../registry/tables.ts';
import type { TokenBuckets } from '../registry/token-bucket.ts';
import { isInForce } from '../registry/token-terms.ts';
import { isTokenText } from '../registry/token-text.ts';
import type { TokenUse } from '../registry/token-use.ts';
import { consoleCaller, deviceCaller, tokenCaller, tokenPrincipal } from './principal.ts';
import { Remembered } from './remembered.ts';
import { Standings } from './standings.ts';
import { vouchersOf } from './vouchers.ts';

export interface AccessParts {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly authorities: Pick<Authorities, 'deviceIdOf' | 'isAccepted'>;
  readonly buckets: TokenBuckets;
  readonly uses: TokenUse;
}

export interface PresentedCertificate {
  readonly fingerprint: string;
  readonly subjectAltName: string;
}

export interface SessionCaller {
  readonly caller: Caller;
  readonly session: ConsoleSession;
}

interface Holder {
  readonly caller: Caller;
  readonly authorityId: string;
}

interface HeldToken {
  readonly row: Row<Token>;
  readonly member: Member;
}

/**
 * Who is calling, asked anew for every request: two records by their keys, three for a session, and
 * those of the devices that let theirs in, back to the gateway's own machine; for a certificate none
 * while no device and no member has changed since the request before. Every right goes through its member's
 * record; when that is gone, nothing of theirs works.
 */
export class Access {
  readonly #parts: AccessParts;
  readonly #holders: Remembered<Holder>;
  readonly #standings: Standings;

  constructor(parts: AccessParts) {
    this.#parts = parts;
    this.#standings = new Standings(parts);
    const { members, devices } = parts.tables;
    this.#holders = new Remembered(() => revisionOf([members, devices]));
  }

  /** Contract: TLS has checked chain, dates and use. */
  async byCertificate(certificate: PresentedCertificate): Promise<Caller> {
    const { fingerprint } = certificate;
    const { caller, authorityId } = await this.#holders.get(fingerprint, () =>
      this.#holder(certificate),
    );
    // Not remembered: an authority can end by the clock alone.
    if (!this.#parts.authorities.isAccepted(authorityId)) throw revoked();
    return caller;
  }

  async byToken(text: string): Promise<Caller> {
    const { row, member } = await this.#inForce(text);
    const { tokenId, rate } = row.value;
    if (!this.#parts.buckets.take(tokenId, rate ?? NO_RATE)) {
      throw new PalyraError('RATE_LIMITED', 'the token asks for more than its rate allows');
    }
    const noted = await this.#parts.uses.note(row, tokenPrincipal(row.value));
    // It may have been revoked between the look and the note.
    const held = noted === 'noted' ? { row, member } : await this.#inForce(text);
    return tokenCaller(held.row.value, held.member);
  }

  /** Whose a token is that was let in before: nothing is taken from its bucket, nothing written down. */
  async stillToken(text: string): Promise<Caller> {
    const { row, member } = await this.#inForce(text);
    return tokenCaller(row.value, member);
  }

  /**
   * The secret of its cookie; that the session's key has proven the call is for whoever asks to see
   * to. Its caller has no device: a session is no proof of the device's key, so it renews nothing.
   */
  async bySession(secret: string): Promise<SessionCaller> {
    if (!isSecret(secret)) throw noSession();
    const session = (await this.#parts.tables.sessions.get(hashOf(secret)))?.value;
    if (session === undefined || !isLive(session, this.#parts.clock.now())) throw noSession();
    const { device, member } = await this.#active(session.deviceId);
    if (member.userId !== session.userId) throw noSession();
    const caller = consoleCaller(device, member, session.sessionId);
    return { caller: await this.#vouched(caller, device), session };
  }

  /** Whose rights a run has that was asked for through this device; empty for a token. */
  standing(principal: string, deviceId: string): Promise<Standing> {
    return this.#standings.of(principal, deviceId);
  }

  async #holder({ fingerprint, subjectAltName }: PresentedCertificate): Promise<Holder> {
    const deviceId = this.#parts.authorities.deviceIdOf(subjectAltName);
    if (deviceId === undefined) {
      throw new PalyraError('UNAUTHENTICATED', 'the certificate is not that of a device');
    }
    const { device, member } = await this.#active(deviceId);
    const known = device.certificates.find((each) => each.fingerprint === fingerprint);
    if (known === undefined) throw revoked();
    const acting = await this.#vouched(deviceCaller(device, member), device);
    const caller = { ...acting, certificateFingerprint: fingerprint };
    return { caller, authorityId: known.authorityId };
  }

  async #vouched(caller: Caller, device: Device): Promise<Caller> {
    if (caller.kind !== PrincipalKind.USER) return caller;
    return { ...caller, vouchedBy: await vouchersOf(device, this.#parts.tables) };
  }

  async #active(deviceId: string): Promise<{ readonly device: Device; readonly member: Member }> {
    const { devices, members } = this.#parts.tables;
    const device = (await devices.get(deviceId))?.value;
    if (device?.state !== DeviceState.ACTIVE) throw revoked();
    const member = (await members.get(device.userId))?.value;
    if (member === undefined) throw revoked();
    return { device, member };
  }

  async #inForce(text: string): Promise<HeldToken> {
    if (!isTokenText(text)) throw noToken();
    const hash = hashOf(text);
    const row = await this.#parts.tables.tokens.get(hash);
    if (row === undefined || !isSame(row.id, hash)) throw noToken();
    if (!isInForce(row.value, this.#parts.clock.now())) throw noToken();
    const member = (await this.#parts.tables.members.get(row.value.userId))?.value;
    if (member === undefined) throw noToken();
    return { row, member };
  }
}

const NO_RATE: Pick<TokenRate, 'perMinute' | 'burst'> = { perMinute: 0, burst: 0 };

function isSame(stored: string, computed: string): boolean {
  const [one, other] = [Buffer.from(stored), Buffer.from(computed)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function revoked(): PalyraError {
  return new PalyraError('DEVICE_REVOKED', 'this device was revoked or its certificate replaced');
}

/** The same for every reason: a guess learns nothing from it. */
function noToken(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'the token is malformed, unknown or has ended');
}

function noSession(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'the console session is unknown or has ended', {
    help: 'open the console again with `palyra console`',
  });
}
