import { create } from '@bufbuild/protobuf';
import { type ModelUsage as RecordedUsage, ModelUsageSchema } from '@palyra/protocol';
import type { SaidEvent, ModelPort, ModelRequest, ModelUsage } from '../ports.ts';
import { tokensIn, tokensOfRequest } from './context/tokens.ts';

export type CountedRequest = Omit<ModelRequest, 'maxOutputTokens'>;

/**
 * Our own count is on the high side: an honest one is below it, but never by this much. What is
 * told and smaller is as good as not told.
 */
const LEAST_SHARE = 8;
/** As much as any budget can be. More would use it up no better, and soon not be a safe number. */
const MOST = 1_000_000_000_000;

/**
 * What one turn takes. Whoever is asked says how much that was, and budgets must hold against a
 * server that lies, so what was sent and heard is counted here too.
 */
export class TurnCount {
  /** Of the request, by estimate. */
  readonly inputTokens: number;
  readonly #request: CountedRequest;
  readonly #model: ModelPort;
  #bytes = 0;
  #told: ModelUsage | undefined;
  /** Empty: the one that the request names. */
  #other = '';
  /** Of the attempt that goes on. */
  #isFree = false;
  /** An attempt before it may have to be paid for. */
  #isOwed = false;

  constructor(request: CountedRequest, model: ModelPort) {
    this.#request = request;
    this.#model = model;
    this.inputTokens = tokensOfRequest(request);
  }

  /** With an answer of so many tokens; 0 where there are no prices. */
  readonly priceWith = (outputTokens: number): number =>
    this.#priceOf({ inputTokens: this.inputTokens, outputTokens }) ?? 0;

  /** What was said so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is anything that has to be paid for. */
  get hasBegun(): boolean {
    return this.#bytes > 0 || this.#told !== undefined;
  }

  /** From here on this one is asked, as long as nothing was heard. */
  askOf(model: string): void {
    this.#other = model === (this.#request.model ?? this.#model.name) ? '' : model;
  }

  /** It came to nothing but an error. Contract: counts only as long as nothing was heard. */
  useNothing(): void {
    this.#isFree = true;
  }

  /** Asked once more, without a word so far. */
  askAgain(): void {
    this.#isOwed ||= !this.#isFree;
    this.#isFree = false;
  }

  hear(event: SaidEvent): void {
    this.#bytes += sizeOf(event);
    if (event.kind === 'usage') this.#told = event;
  }

  /**
   * What counts for the turn as far as it has come: what was told where that can be, our own count
   * where not. Contract: absent only for what uses nothing: a script, and what came to nothing but an
   * error.
   */
  get usage(): RecordedUsage | undefined {
    const { isScript } = this.#model;
    if (isScript && this.#told === undefined) return undefined;
    if (this.#isFree && !this.#isOwed && this.#bytes === 0) return undefined;
    const input = settled(this.#told?.inputTokens, isScript ? 0 : this.inputTokens);
    const output = settled(this.#told?.outputTokens, isScript ? 0 : tokensIn(this.#bytes));
    const tokens = { inputTokens: input.tokens, outputTokens: output.tokens };
    const isEstimated = input.isEstimated || output.isEstimated;
    const cached = countOf(this.#told?.cachedTokens) ?? 0;
    const cost = this.#costOf(tokens, isEstimated ? 'estimated' : 'told');
    return create(ModelUsageSchema, {
      inputTokens: BigInt(tokens.inputTokens),
      outputTokens: BigInt(tokens.outputTokens),
      cachedTokens: BigInt(Math.min(cached, tokens.inputTokens)),
      isEstimated,
      model: this.#other,
      ...(cost === undefined ? {} : { costMicroUsd: BigInt(wholeCost(cost)) }),
    });
  }

  /** The cost that came with a count is of that count; another one has another cost. */
  #costOf(tokens: Tokens, source: 'estimated' | 'told'): number | undefined {
    const told = this.#told?.costMicroUsd;
    if (source === 'told') return told;
    const price = this.#priceOf(tokens);
    return price === undefined ? told : Math.max(price, told ?? 0);
  }

  #priceOf(tokens: Tokens): number | undefined {
    const { model } = this.#request;
    return this.#model.price(model === undefined ? tokens : { ...tokens, model });
  }
}

interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface Settled {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

function settled(told: number | undefined, estimate: number): Settled {
  const count = countOf(told);
  const isEstimated = count === undefined || count < estimate / LEAST_SHARE;
  return { tokens: Math.min(isEstimated ? estimate : count, MOST), isEstimated };
}

/** Contract: what cannot be a count is as good as not told. */
function countOf(told: number | undefined): number | undefined {
  return told !== undefined && Number.isSafeInteger(told) && told >= 0 ? told : undefined;
}

/** Contract: what cannot be a cost uses every budget up. */
function wholeCost(cost: number): number {
  return cost >= 0 ? Math.min(Math.ceil(cost), MOST) : MOST;
}

/** What a provider wants back is in words of its own, and not said to anybody. */
function sizeOf(event: SaidEvent): number {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return Buffer.byteLength(event.text);
    case 'usage':
    case 'keepsake':
      return 0;
    case 'lost':
      return event.bytes;
    case 'tool-call':
      return Buffer.byteLength(event.argumentsJson) + Buffer.byteLength(event.tool);
  }
}
