import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isJsonObject } from '@palyra/kernel';

/** What an authenticator or a browser says that a test wants said; as it comes, all is well. */
export interface Saying {
  /** Of the page, as the browser tells it. */
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  /** Whom the authenticator takes the page for. */
  readonly relyingParty?: string;
  /** Whether it has looked who its person is. */
  readonly person?: 'verified' | 'present' | 'absent';
  /** Instead of one more than before; 0 for one that does not count. */
  readonly counter?: number;
  /** Instead of the credential's own. */
  readonly credentialId?: string;
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, Cbor>;
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<number | string, Cbor>;

const FLAGS = { verified: 0x05, present: 0x01, absent: 0x00 } as const;
const ATTESTED = 0x40;
const COSE = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3 } as const;

/**
 * One passkey in software: a P-256 key with a counter, which answers the options that a gateway gives
 * as `startRegistration` and `startAuthentication` would, in JSON.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: ReadonlyMap<number, Cbor>;
  #counter = 0;

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#origin = origin;
    this.#key = privateKey;
    this.#publicKey = new Map<number, Cbor>([
      [COSE.keyType, 2],
      [COSE.algorithm, -7],
      [COSE.curve, 1],
      [COSE.x, Buffer.from(x, 'base64url')],
      [COSE.y, Buffer.from(y, 'base64url')],
    ]);
  }

  /** Answers PublicKeyCredentialCreationOptionsJSON. */
  create(options: string, saying: Saying = {}): string {
    const id = Buffer.from(this.credentialId, 'base64url');
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      cbor(this.#publicKey),
    ]);
    const authData = Buffer.concat([this.#authenticatorData(saying, ATTESTED), attested]);
    const clientData = this.#clientData('webauthn.create', options, saying);
    const { format = 'none', statement = this.#ownStatement(format, authData, clientData) } =
      saying;
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    );
    return this.#said(saying, {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers PublicKeyCredentialRequestOptionsJSON. */
  get(options: string, saying: Saying = {}): string {
    const authData = this.#authenticatorData(saying, 0);
    const clientData = this.#clientData('webauthn.get', options, saying);
    const signature = this.#sign(authData, clientData);
    return this.#said(saying, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  /** For `packed`, what the key says of itself. */
  #ownStatement(format: string, authData: Buffer, clientData: Buffer): ReadonlyMap<string, Cbor> {
    if (format !== 'packed') return new Map();
    return new Map<string, Cbor>([
      ['alg', -7],
      ['sig', this.#sign(authData, clientData)],
    ]);
  }

  #sign(authData: Buffer, clientData: Buffer): Buffer {
    const hash = createHash('sha256').update(clientData).digest();
    return sign('sha256', Buffer.concat([authData, hash]), this.#key);
  }

  #said({ credentialId: id = this.credentialId }: Saying, response: object): string {
    const type = 'public-key';
    return JSON.stringify({ id, rawId: id, type, response, clientExtensionResults: {} });
  }

  #clientData(type: string, options: string, saying: Saying): Buffer {
    const challenge = challengeIn(options);
    const { origin = this.#origin, crossOrigin = false } = saying;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  #authenticatorData(saying: Saying, more: number): Buffer {
    const { relyingParty = 'localhost', person = 'verified' } = saying;
    this.#counter = saying.counter ?? this.#counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      createHash('sha256').update(relyingParty).digest(),
      Buffer.from([FLAGS[person] | more]),
      counter,
    ]);
  }
}

function challengeIn(options: string): string {
  const parsed: unknown = JSON.parse(options);
  if (isJsonObject(parsed) && typeof parsed['challenge'] === 'string') return parsed['challenge'];
  throw new TypeError('the options hold no challenge');
}

/** As much of RFC 8949 as an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (isMap(value)) {
    const pairs = [...value].flatMap(([key, held]) => [cbor(key), cbor(held)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  const items = [...value].map((each) => cbor(each));
  return Buffer.concat([head(4, items.length), ...items]);
}

function isMap(value: readonly Cbor[] | CborMap): value is CborMap {
  return value instanceof Map;
}

function head(major: number, count: number): Buffer {
  const start = major << 5;
  if (count < 24) return Buffer.from([start | count]);
  if (count < 256) return Buffer.from([start | 24, count]);
  return Buffer.from([start | 25, count >> 8, count & 0xff]);
}
