import type { Bytes, JsonObject } from '@palyra/kernel';
import type {
  Authority,
  BeginPairingRequest,
  BeginPairingResponse,
  BeginStepUpRequest,
  ConsoleSession,
  CreateTokenRequest,
  Device,
  FinishPairingRequest,
  FinishPairingResponse,
  FinishPasskeyRequest,
  Member,
  Pairing,
  PairingState,
  Passkey,
  RemovePasskeyRequest,
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
  readonly passkeys: PasskeysPort;
  /** Rises whenever somebody's standing may have changed, or the authorities have: who keeps a connection open looks again then. */
  revision(): number;
}

/** Who is calling. Contract: each rejects with UNAUTHENTICATED, DEVICE_REVOKED or RATE_LIMITED. */
export interface AccessPort {
  byCertificate(certificate: PresentedCertificate): Promise<Caller>;
  /** Takes one request from the token's bucket. */
  byToken(text: string): Promise<Caller>;
  /** Whether what the token has opened may go on. Contract: takes nothing from its bucket. */
  stillToken(text: string): Promise<Caller>;
  /** The secret of its cookie. Contract: whoever asks has the session's key prove the call, too. */
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
  /**
   * Takes the secret of a link, and the public key that will prove the calls of the session.
   * Contract: UNAUTHENTICATED for any but a live link; the key is a point on P-256.
   */
  open(linkSecret: string, publicKey: Bytes): Promise<OpenedConsole>;
  close(session: ConsoleSession, caller: Caller): Promise<void>;
}

export interface OpenedConsole {
  /** For the cookie alone; stored as its SHA-256. */
  readonly secret: string;
  readonly session: ConsoleSession;
}

/** A person in the console, where a browser can ask an authenticator. */
export interface ConsoleVisit {
  readonly caller: Caller;
  readonly session: ConsoleSession;
  /** Of the page; the transport has held it against what the browser asked for. */
  readonly origin: string;
}

/**
 * `passkey` is an id, or a name that only one of the caller's has. Contract: everybody has only their
 * own to do with; PERMISSION_DENIED for whoever is no person.
 */
export interface PasskeysPort {
  /** The oldest first. */
  list(caller: Caller): Promise<readonly Passkey[]>;
  begin(visit: ConsoleVisit): Promise<BegunPasskey>;
  /** Contract: PERMISSION_DENIED unless an earlier one, where there is any, has confirmed it. */
  finish(request: FinishPasskeyRequest, visit: ConsoleVisit): Promise<Passkey>;
  rename(passkey: string, name: string, caller: Caller): Promise<Passkey>;
  removeConfirmed(request: RemovePasskeyRequest, visit: ConsoleVisit): Promise<Passkey>;
  /** Contract: PERMISSION_DENIED through any device but one of the gateway's own machine. */
  removeLocally(passkey: string, caller: Caller): Promise<Passkey>;
  /** Contract, here and below: NOT_FOUND for a member without a passkey. */
  beginAddition(request: FinishPasskeyRequest, visit: ConsoleVisit): Promise<PasskeyCeremony>;
  beginRemoval(request: RemovePasskeyRequest, visit: ConsoleVisit): Promise<PasskeyCeremony>;
  beginAnswer(answer: AnswerToConfirm, visit: ConsoleVisit): Promise<PasskeyCeremony>;
  /**
   * Contract: resolves once for one assertion, also after a crash. PERMISSION_DENIED unless one of the
   * caller's passkeys has signed for this very answer, in this session, on this page.
   */
  confirmAnswer(answer: ConfirmedAnswer, visit: ConsoleVisit): Promise<void>;
  beginRequest(request: RequestToConfirm, visit: ConsoleVisit): Promise<PasskeyCeremony>;
  /**
   * Contract: as for an answer. A member without any passkey passes with a session that was opened in the
   * last ten minutes, and with no other.
   */
  confirmRequest(request: RequestToConfirm, visit: ConsoleVisit): Promise<void>;
}

/** A request that lets somebody in or changes what is allowed, with its assertion where it has one. */
export type RequestToConfirm = Extract<
  BeginStepUpRequest['confirms'],
  { readonly case: 'pairing' | 'member' | 'role' | 'policy' }
>;

/** What a browser is told to begin with, as JSON for it. */
export interface PasskeyCeremony {
  readonly options: string;
  readonly expiresAt: string;
}

export interface BegunPasskey extends PasskeyCeremony {
  readonly needsStepUp: boolean;
}

export interface AnswerToConfirm {
  /** The id of the question. */
  readonly about: string;
  /** All that the answer says; another one is not confirmed. */
  readonly terms: JsonObject;
}

export interface ConfirmedAnswer extends AnswerToConfirm {
  /** As the browser gave it. */
  readonly assertion: string;
}
