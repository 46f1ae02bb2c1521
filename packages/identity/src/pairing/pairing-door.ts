import { create } from '@bufbuild/protobuf';
import { type Clock, PalyraError } from '@palyra/kernel';
import type { Verifier } from '@palyra/pake';
import {
  type BeginPairingRequest,
  type BeginPairingResponse,
  BeginPairingResponseSchema,
  type FinishPairingRequest,
  type FinishPairingResponse,
  PairingSecret,
} from '@palyra/protocol';
import { retryOnConflict } from '@palyra/records';
import { Admission } from './admission.ts';
import { type AttemptBounds, AttemptLimits, LOCALS, STRANGERS } from './attempt-limits.ts';
import { type BeginOrder, readBeginRequest } from './begin-request.ts';
import { type Candidate, Enrolment } from './enrolment.ts';
import { type Exchange, type PairingSource, actorOf, agreementOf, respondTo } from './exchange.ts';
import { Exchanges } from './exchanges.ts';
import { LocalSecret } from './local-secret.ts';
import type { KeptPairing, PairingBook } from './pairing-book.ts';
import { EXCHANGE_MS, awaitsDevice, hasTriesLeft, tried } from './pairing-state.ts';
import type { PairingParts, Stranger } from './parts.ts';
import { ended, refused } from './refusals.ts';

/** The side of the new device: two messages, and the wait for a person between them and a certificate. */
export class PairingDoor {
  readonly #parts: PairingParts;
  readonly #book: PairingBook;
  readonly #enrolment: Enrolment;
  readonly #admission: Admission;
  readonly #strangers: Bounds;
  /** Of their own, so that neither side of this machine's wall can use up what the other needs. */
  readonly #locals: Bounds;
  readonly #localSecret: LocalSecret;

  constructor(parts: PairingParts, book: PairingBook) {
    this.#parts = parts;
    this.#book = book;
    this.#enrolment = new Enrolment(parts, book);
    this.#admission = new Admission(parts, book, this.#enrolment);
    this.#strangers = boundsOf(parts.clock, STRANGERS, 24);
    this.#locals = boundsOf(parts.clock, LOCALS, 8);
    this.#localSecret = new LocalSecret(parts.places);
  }

  async begin(request: BeginPairingRequest, stranger: Stranger): Promise<BeginPairingResponse> {
    const isLocal = request.secret === PairingSecret.LOCAL;
    const { limits, exchanges } = isLocal && stranger.isLoopback ? this.#locals : this.#strangers;
    limits.take(stranger.address);
    if (isLocal && !stranger.isLoopback) throw refused();
    const { authorities, ids } = this.#parts;
    const order = await readBeginRequest(request, (der) => authorities.readRequest(der));
    const exchangeId = ids.next<'exchange'>();
    exchanges.reserve(exchangeId);
    try {
      const exchange = await this.#answer(order, stranger);
      exchanges.keep(exchangeId, exchange);
      const { share, confirmation } = exchange.response;
      return create(BeginPairingResponseSchema, { exchangeId, share, confirmation });
    } catch (error) {
      exchanges.take(exchangeId);
      throw error;
    }
  }

  async *finish(
    { exchangeId, confirmation }: FinishPairingRequest,
    stranger: Stranger,
    signal: AbortSignal,
  ): AsyncGenerator<FinishPairingResponse, undefined> {
    const exchange =
      this.#strangers.exchanges.take(exchangeId) ?? this.#locals.exchanges.take(exchangeId);
    if (exchange === undefined) throw ended();
    const agreement = agreementOf(exchange, confirmation, stranger);
    if (agreement === undefined) throw refused();
    const { of } = exchange;
    if (of.kind === 'pairing')
      yield* this.#admission.admit({ exchange, agreement }, of.pairingId, signal);
    else yield await this.#letInLocal({ exchange, agreement }, of.generation);
  }

  sweep(): void {
    this.#strangers.exchanges.sweep();
    this.#locals.exchanges.sweep();
  }

  async #answer(order: BeginOrder, stranger: Stranger): Promise<Exchange> {
    const isLocal = order.secret === PairingSecret.LOCAL;
    const { of, verifier } = isLocal ? await this.#local() : await this.#countTry(order, stranger);
    const response = await respondTo(order, verifier, stranger);
    return { order, whence: stranger, of, response };
  }

  async #local(): Promise<Tried> {
    const { verifier, generation } = await this.#localSecret.current();
    return { of: { kind: 'local', generation }, verifier };
  }

  /** INVARIANT: durable before there is an answer, because that lets a guess be checked. */
  async #countTry(order: BeginOrder, stranger: Stranger): Promise<Tried> {
    const kept = await retryOnConflict(async () => {
      const found = await this.#find(order);
      const pairing = tried(found.pairing, order.secret, this.#parts.clock.now());
      await this.#book.move(found, { kind: 'pairing.tried', actor: actorOf(stranger), pairing });
      return found;
    });
    const { pinVerifier, tokenVerifier } = kept.verifiers;
    const bytes = order.secret === PairingSecret.PIN ? pinVerifier : tokenVerifier;
    const of: PairingSource = { kind: 'pairing', pairingId: kept.id };
    return { of, verifier: await readVerifier(bytes) };
  }

  async #find({ pairingId, secret }: BeginOrder): Promise<KeptPairing> {
    const kept = pairingId === '' ? await this.#onlyOne(secret) : await this.#book.get(pairingId);
    if (kept === undefined || !isOpenTo(kept, secret)) throw ended();
    return kept;
  }

  async #onlyOne(secret: PairingSecret): Promise<KeptPairing | undefined> {
    const waiting = (await this.#book.all()).filter((kept) => isOpenTo(kept, secret));
    if (waiting.length <= 1) return waiting[0];
    throw new PalyraError('INVALID_INPUT', 'more than one pairing waits for a device', {
      help: 'say which with `--pairing ID`, or scan the QR code, which names it',
    });
  }

  async #letInLocal(candidate: Candidate, generation: number): Promise<FinishPairingResponse> {
    // Used up first: a crash after this costs the device a second reading of the file, nothing else.
    if (!this.#localSecret.use(generation)) throw ended();
    return this.#enrolment.completeLocal(candidate);
  }
}

function isOpenTo({ pairing }: KeptPairing, secret: PairingSecret): boolean {
  return awaitsDevice(pairing) && hasTriesLeft(pairing, secret);
}

interface Bounds {
  readonly limits: AttemptLimits;
  readonly exchanges: Exchanges<Exchange>;
}

function boundsOf(clock: Clock, attempts: AttemptBounds, count: number): Bounds {
  return {
    limits: new AttemptLimits(clock, attempts),
    exchanges: new Exchanges(clock, { count, lifetimeMs: EXCHANGE_MS }),
  };
}

interface Tried {
  readonly of: PairingSource;
  readonly verifier: Verifier;
}

async function readVerifier(bytes: Uint8Array): Promise<Verifier> {
  const { verifierFromBytes } = await import('@palyra/pake');
  const verifier = verifierFromBytes(bytes);
  if (verifier === undefined) throw new TypeError('a stored verifier is malformed');
  return verifier;
}
