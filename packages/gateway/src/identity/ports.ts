import type { Bytes } from '@palyra/kernel';
import type {
  Authority,
  BeginPairingRequest,
  BeginPairingResponse,
  ConsoleSession,
  CreateTokenRequest,
  Device,
  FinishPairingRequest,
  FinishPairingResponse,
  Member,
  Pairing,
  PairingState,
  Role,
  Token,
} from '@palyra/protocol';
import type { Standing } from '../ports.ts';
import type { Caller } from './caller.ts';

/** What the gateway needs of identity. Built in compose.ts; every change is journaled with its actor. */
export interface IdentityPort {
  readonly access: AccessPort;
  readonly pairing: PairingPort;
  readonly devices: DevicesPort;
  readonly tokens: TokensPort;
  readonly members: MembersPort;
  readonly authorities: AuthoritiesPort;
  readonly console: ConsolePort;
  /** Changes whenever anything here changes: who keeps a connection open looks again then. */
  revision(): number;
}

/** Who is calling. Contract: each rejects with UNAUTHENTICATED, DEVICE_REVOKED or RATE_LIMITED. */
export interface AccessPort {
  byCertificate(certificate: PresentedCertificate): Promise<Caller>;
  /** Takes one request from the token's bucket. */
  byToken(text: string): Promise<Caller>;
  /** Whether what the token has opened may go on. Contract: takes nothing from its bucket. */
  stillToken(text: string): Promise<Caller>;
  /** The secret that only the page knows; its cookie was looked at before. */
  bySession(secret: string): Promise<SessionCaller>;
  /**
   * Whose rights something has that goes on without its caller; the device is the one through which
   * it was asked for, empty for a token.
   * Contract: whoever is unknown, revoked or removed has a standing without a role.
   */
  standing(principal: string, deviceId: string): Promise<Standing>;
}

export interface SessionCaller {
  readonly caller: Caller;
  readonly session: ConsoleSession;
}

/** Contract: TLS has checked its chain, its dates and that it is for clients. */
export interface PresentedCertificate {
  /** SHA-256 of its DER form, in hex. */
  readonly fingerprint: string;
  /** Every name that it bears, as Node writes them: `URI:palyra://…`. */
  readonly subjectAltName: string;
}

/** Where a stranger calls from, and which certificate of ours they were shown. */
export interface Stranger {
  readonly address: string;
  readonly isLoopback: boolean;
  /** SHA-256 of the DER form of the certificate that this connection was answered with. */
  readonly serverFingerprint: Bytes;
}

export interface StartedPairing {
  readonly pairing: Pairing;
  readonly pin: string;
  /** 256 bits, base64url. */
  readonly token: string;
}

export interface PairingPort {
  /** `member` is an id or a name; empty for the caller. */
  start(member: string, caller: Caller): Promise<StartedPairing>;
  list(): Promise<readonly Pairing[]>;
  /** The pairing now and after each change, until it has ended. */
  watch(pairingId: string, signal: AbortSignal): AsyncIterable<Pairing>;
  answer(answer: PairingAnswer, caller: Caller): Promise<Pairing>;
  begin(request: BeginPairingRequest, stranger: Stranger): Promise<BeginPairingResponse>;
  finish(
    request: FinishPairingRequest,
    stranger: Stranger,
    signal: AbortSignal,
  ): AsyncIterable<FinishPairingResponse>;
}

export interface PairingAnswer {
  readonly pairingId: string;
  readonly keyFingerprint: string;
  readonly answer: PairingState;
}

/** `device` is an id, or a name that only one device has. */
export interface DevicesPort {
  list(): Promise<readonly Device[]>;
  get(device: string): Promise<Device>;
  rename(device: string, name: string, caller: Caller): Promise<Device>;
  revoke(device: string, caller: Caller): Promise<Device>;
  remove(device: string, caller: Caller): Promise<Device>;
  /** What came of a device, at any remove, and is in force. */
  made(deviceId: string): Promise<MadeThroughDevice>;
  /** Ends that. Contract: what belongs to somebody above the caller stays. */
  revokeMade(deviceId: string, caller: Caller): Promise<MadeThroughDevice>;
  /** Contract: UNAUTHENTICATED for a caller without a device, RATE_LIMITED for one that asks too often. */
  renew(certificateRequest: Bytes, caller: Caller): Promise<IssuedCertificate>;
}

export interface MadeThroughDevice {
  readonly devices: readonly Device[];
  /** Their ids. */
  readonly tokens: readonly string[];
}

export interface IssuedCertificate {
  readonly certificate: Bytes;
  readonly authorities: readonly Bytes[];
}

/** `token` is an id, or a label that only one token has. */
export interface TokensPort {
  create(
    request: CreateTokenRequest,
    caller: Caller,
  ): Promise<{ readonly token: Token; readonly secret: string }>;
  list(): Promise<readonly Token[]>;
  rotate(
    token: string,
    caller: Caller,
  ): Promise<{ readonly token: Token; readonly secret: string }>;
  revoke(token: string, caller: Caller): Promise<Token>;
}

/** `member` is an id or a name. */
export interface MembersPort {
  list(): Promise<readonly Member[]>;
  add(name: string, role: Role, caller: Caller): Promise<Member>;
  changeRole(member: string, role: Role, caller: Caller): Promise<Member>;
  remove(member: string, caller: Caller): Promise<Member>;
  /** Members, devices and tokens as one JSON document; no secret is in it. */
  export(): Promise<string>;
}

export interface AuthoritiesPort {
  list(): Promise<readonly Authority[]>;
  notMoved(): Promise<readonly Device[]>;
  /** Contract: ROTATION_ACTIVE while an earlier one has not ended. */
  rotate(caller: Caller): Promise<readonly Authority[]>;
  /** Ends the retiring one at once. Contract: NOT_FOUND when there is none. */
  endRetiring(caller: Caller): Promise<readonly Authority[]>;
  /**
   * What the TLS server answers with: a certificate of each authority that is accepted, the active
   * one first. Contract: asked again whenever `revision` changes and at least every hour; makes new
   * certificates where a third or less is left, or where the names have changed.
   */
  serverCredentials(): Promise<readonly ServerCredential[]>;
}

export interface ServerCredential {
  readonly authorityId: string;
  /** What a client of this authority asks for by SNI, and checks. */
  readonly serverName: string;
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly authorityPem: string;
  /** SHA-256 of the DER form of the certificate. */
  readonly fingerprint: Bytes;
}

export interface ConsolePort {
  /** Contract: 60 seconds, one use. The caller acts through a device. */
  createLink(caller: Caller): Promise<{ readonly secret: string; readonly expiresAt: Date }>;
  /** Takes the secret of a link. Contract: UNAUTHENTICATED for any but a live one. */
  open(linkSecret: string): Promise<OpenedConsole>;
  close(session: ConsoleSession, caller: Caller): Promise<void>;
}

export interface OpenedConsole {
  /** For the page alone; stored as its SHA-256. */
  readonly secret: string;
  readonly session: ConsoleSession;
}
