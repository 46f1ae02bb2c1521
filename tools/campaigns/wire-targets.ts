import { type DescMessage, type MessageShape, fromBinary, toBinary } from '@bufbuild/protobuf';
import { isTokenText, readBeginRequest, readRequest } from '@palyra/identity';
import { PalyraError } from '@palyra/kernel';
import {
  encodePairingLink,
  isShare,
  parsePairingLink,
  parsePin,
  verifierFromBytes,
  verifierToBytes,
} from '@palyra/pake';
import { BeginPairingRequestSchema, FinishPairingRequestSchema } from '@palyra/protocol';
import { testGateway } from '@palyra/testkit';
import { mutateBytes } from './byte-mutation.ts';
import { corpusOf } from './corpus.ts';
import { mutate } from './mutation.ts';
import type { Target } from './target.ts';

export interface WireTargets extends AsyncDisposable {
  readonly targets: readonly Target[];
}

/** What a stranger can say before anybody knows them, and tokens. */
export async function wireTargets(): Promise<WireTargets> {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await testGateway());
  const { pairing } = test.gateway.identity;
  const kept = await keptRequests();
  const targets = [
    texts('pairing-link', 260_000, feedLink),
    texts('pin', 160_000, feedPin),
    texts('token', 160_000, tokenFeeder()),
    bytes('share', 110_000, feedShare),
    bytes('verifier', 60_000, feedVerifier),
    bytes('begin-pairing', 160_000, feedBegin),
    bytes('finish-pairing', 130_000, (input) => feedFinish(input, pairing)),
    bytes('certificate-request', 30_000, (input) => feedRequest(input, kept)),
  ];
  const release = stack.move();
  return { targets, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

function texts(name: string, inputs: number, feed: (text: string) => unknown): Target {
  const corpus = corpusOf(name);
  return {
    name,
    inputs,
    next: (random) => {
      const seed = corpus[Math.floor(random() * corpus.length)] ?? new Uint8Array(0);
      // Half of them stay close to what is good, where the last checks are.
      const text =
        random() < 0.5 ? textOf(mutateBytes(seed, corpus, random)) : mutate(textOf(seed), random);
      return { input: JSON.stringify(text), outcome: () => feed(text) };
    },
  };
}

function textOf(input: Uint8Array): string {
  return Buffer.from(input).toString('utf8');
}

function bytes(name: string, inputs: number, feed: (input: Uint8Array) => unknown): Target {
  const corpus = corpusOf(name);
  return {
    name,
    inputs,
    next: (random) => {
      const seed = corpus[Math.floor(random() * corpus.length)] ?? new Uint8Array(0);
      const input = mutateBytes(seed, corpus, random);
      return { input: Buffer.from(input).toString('base64'), outcome: () => feed(input) };
    },
  };
}

/** There is one spelling of each link: whatever is read must be written the same. */
function feedLink(text: string): void {
  const link = parsePairingLink(text);
  if (link === undefined) return;
  if (encodePairingLink(link) !== text) throw new TypeError('a link has two spellings');
}

function feedPin(text: string): void {
  const pin = parsePin(text);
  if (pin !== undefined && !/^[0-9]{6}$/.test(pin)) throw new TypeError('a PIN is not six digits');
}

/** A changed token whose checksum still fits would be a chance of one in 2^36. */
function tokenFeeder(): (text: string) => void {
  const known = new Set(corpusOf('token').map(textOf));
  return (text) => {
    if (isTokenText(text) && !known.has(text)) throw new TypeError('a changed token was taken');
  };
}

function feedShare(input: Uint8Array): void {
  if (isShare(input) && (input.length !== 65 || input[0] !== 4)) {
    throw new TypeError('a share has another form');
  }
}

function feedVerifier(input: Uint8Array): void {
  const verifier = verifierFromBytes(input);
  if (verifier === undefined) return;
  if (!Buffer.from(verifierToBytes(verifier)).equals(input)) {
    throw new TypeError('a verifier has two spellings');
  }
}

/** Contract: `undefined` for bytes that are no message, which the transport refuses by itself. */
function decoded<Schema extends DescMessage>(
  schema: Schema,
  input: Uint8Array,
): MessageShape<Schema> | undefined {
  try {
    return fromBinary(schema, input);
  } catch (reason) {
    if (reason instanceof Error && !/stack|memory/i.test(reason.message)) return undefined;
    throw reason;
  }
}

async function feedBegin(input: Uint8Array): Promise<void> {
  const message = decoded(BeginPairingRequestSchema, input);
  if (message === undefined) return;
  if (
    decoded(BeginPairingRequestSchema, toBinary(BeginPairingRequestSchema, message)) === undefined
  ) {
    throw new TypeError('what was read cannot be written');
  }
  // Certificate requests cost the most by far and have a turn of their own.
  const publicKeySpki = new Uint8Array(0);
  const order = await readBeginRequest(message, async () => ({
    publicKeySpki,
    keyFingerprint: '',
  }));
  const { name, share } = order;
  if (!isShare(share) || name.length > 64 || name.trim() === '') {
    throw new TypeError('a first message was taken that cannot be one');
  }
}

type Pairings = Awaited<ReturnType<typeof testGateway>>['gateway']['identity']['pairing'];

const STRANGER = {
  address: '192.0.2.7',
  isLoopback: false,
  serverFingerprint: new Uint8Array(32),
} as const;

async function feedFinish(input: Uint8Array, pairing: Pairings): Promise<void> {
  const message = decoded(FinishPairingRequestSchema, input);
  if (message === undefined) return;
  const { signal } = new AbortController();
  for await (const _event of pairing.finish(message, STRANGER, signal)) {
    throw new TypeError('a second message was taken without a first one');
  }
}

/** Keys of the requests that the corpus holds. */
async function keptRequests(): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const input of corpusOf('certificate-request')) {
    try {
      keys.add((await readRequest(input)).keyFingerprint);
    } catch (reason) {
      // The corpus keeps bad ones, too; what else they could do is tried with all others.
      if (!(reason instanceof PalyraError)) throw reason;
    }
  }
  return keys;
}

/** Nobody has the keys, so a request that is still proven must be for one of them. */
async function feedRequest(input: Uint8Array, kept: ReadonlySet<string>): Promise<void> {
  const { keyFingerprint } = await readRequest(input);
  if (!kept.has(keyFingerprint)) throw new TypeError('a key was taken that nobody has proven');
}
