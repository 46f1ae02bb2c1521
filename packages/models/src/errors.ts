import { quote, redactText } from '@palyra/kernel';
import { type FailureDetails, type FailureReason, ModelFailure } from './failure.ts';
import { listAt, parseJson, textAt, valueAt } from './json-view.ts';

/** An answer that is not the stream that was asked for. */
export interface BadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of it. */
  readonly body: string;
  readonly now: Date;
}

/** Contract: pure; never names the key, which the caller takes out of `body` before. */
export function failureOfAnswer(answer: BadAnswer): ModelFailure {
  const parsed = parseJson(answer.body);
  // Some servers send a list that holds the one error.
  const document: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const told = errorIn(document);
  const reason = reasonOf(told, answer.status);
  const message = describe(reason, told, `status ${answer.status}`);
  return new ModelFailure(reason, message, askedFor(retryAfter(answer, told)));
}

/** For an error that comes in the stream, after everything had begun well. */
export function failureInStream(error: unknown): ModelFailure {
  const told = toldBy(error);
  const reason = reasonOf(told, /^[45]\d\d$/.test(told.code) ? Number(told.code) : undefined);
  const message = describe(reason, told, 'in the middle of its answer');
  return new ModelFailure(reason, message, askedFor(delayIn(told)));
}

/** An error that a stream holds in place of its next piece; `undefined` when there is none. */
export function streamError(event: unknown): unknown {
  const error = valueAt(event, 'error');
  if (error === undefined || error === null) return undefined;
  return typeof error === 'string' ? { message: error } : error;
}

function askedFor(retryAfterMs: number | undefined): FailureDetails {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Three hours: whoever asks for more is not worth waiting for, and a date can be anything. */
const MAX_RETRY_AFTER_MS = 3 * 60 * 60 * 1000;

/** The error object of all three providers: each has some of these, and the words are disjoint. */
interface Told {
  readonly isError: boolean;
  readonly message: string;
  /** `type`, `code`, `status` and the reasons among `details`, in lower case. */
  readonly words: readonly string[];
  readonly code: string;
  readonly details: readonly unknown[];
}

function errorIn(document: unknown): Told {
  const error = valueAt(document, 'error');
  // llama.cpp and Ollama have servers in front of them that say `{"error":"…"}`.
  if (typeof error === 'string') return { ...NOTHING_TOLD, isError: true, message: error };
  return error === undefined ? NOTHING_TOLD : toldBy(error);
}

function toldBy(error: unknown): Told {
  const details = listAt(error, 'details');
  const code = valueAt(error, 'code');
  const words = [
    textAt(error, 'type'),
    textAt(error, 'status'),
    typeof code === 'string' ? code : undefined,
    ...details.map((detail) => textAt(detail, 'reason')),
  ];
  return {
    isError: true,
    message: textAt(error, 'message') ?? '',
    words: words.flatMap((word) => (word === undefined ? [] : [word.toLowerCase()])),
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : '',
    details,
  };
}

const NOTHING_TOLD: Told = { isError: false, message: '', words: [], code: '', details: [] };

/** Words come before the status: 400 and 429 each stand for several things. */
const REASON_OF_WORD: Readonly<Record<string, FailureReason>> = {
  api_key_invalid: 'bad-key',
  authentication_error: 'bad-key',
  invalid_api_key: 'bad-key',
  permission_denied: 'bad-key',
  permission_error: 'bad-key',
  unauthenticated: 'bad-key',
  model_not_found: 'no-such-model',
  billing_error: 'out-of-credit',
  billing_hard_limit_reached: 'out-of-credit',
  insufficient_quota: 'out-of-credit',
  context_length_exceeded: 'context-too-long',
  exceed_context_size_error: 'context-too-long',
  request_too_large: 'context-too-long',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  rate_limit_error: 'rate-limited',
  rate_limit_exceeded: 'rate-limited',
  resource_exhausted: 'rate-limited',
  api_error: 'overloaded',
  internal: 'overloaded',
  overloaded_error: 'overloaded',
  server_error: 'overloaded',
  timeout_error: 'overloaded',
  unavailable: 'overloaded',
};

/** Several servers have no code for this, only a sentence. Read wrongly, it costs a clearer message. */
const TOO_LONG =
  /prompt is too long|context (?:length|size|window)|maximum context|input token count/i;

function reasonOf({ isError, message, words }: Told, status: number | undefined): FailureReason {
  const named = words.flatMap((word) =>
    Object.hasOwn(REASON_OF_WORD, word) ? [REASON_OF_WORD[word]] : [],
  )[0];
  if (named !== undefined) return named;
  if ((status === undefined || status === 400) && TOO_LONG.test(message)) return 'context-too-long';
  if (status === undefined) return 'overloaded';
  return reasonOfStatus(status, isError);
}

function reasonOfStatus(status: number, isError: boolean): FailureReason {
  if (status === 401 || status === 403) return 'bad-key';
  if (status === 402) return 'out-of-credit';
  if (status === 404) return isError ? 'no-such-model' : 'not-an-api';
  if (status === 408) return 'timed-out';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limited';
  if (status === 409 || status >= 500) return 'overloaded';
  return isError ? 'bad-request' : 'not-an-api';
}

const SAYS: Readonly<Record<FailureReason, string>> = {
  'bad-key': 'the provider does not accept the key',
  'no-such-model': 'the provider does not have this model',
  'rate-limited': 'the provider limits how much may be asked',
  'out-of-credit': 'the account has no credit left',
  overloaded: 'the provider is overloaded or broken',
  'context-too-long': 'the conversation is longer than the model can read',
  'output-limit': 'the answer is longer than allowed',
  'too-much-said': 'the answer holds more than one turn may',
  refused: 'the provider refuses to answer this',
  'bad-request': 'the provider does not understand the request',
  'not-an-api': 'there is no such API at the base URL',
  unreachable: 'the provider cannot be reached',
  'timed-out': 'the provider took too long',
  'too-slow': 'the answer took too long',
  'broken-stream': 'the answer broke off',
  paused: 'the provider is paused after failures in a row',
  'left-alone': 'the provider wants to be left alone',
};

function describe(reason: FailureReason, { message }: Told, where: string): string {
  const says = `${SAYS[reason]} (${where})`;
  return message === '' ? says : `${says}: ${quote(redactText(message))}`;
}

function retryAfter({ headers, now }: BadAnswer, told: Told): number | undefined {
  const inMs = headerOf(headers, 'retry-after-ms');
  const wished =
    (inMs === undefined ? undefined : milliseconds(inMs, 1)) ??
    retryAfterHeader(headerOf(headers, 'retry-after'), now) ??
    delayIn(told);
  return wished === undefined ? undefined : Math.min(wished, MAX_RETRY_AFTER_MS);
}

/** Seconds or a date, as HTTP has it. */
function retryAfterHeader(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const seconds = milliseconds(text, 1000);
  if (seconds !== undefined) return seconds;
  // The platform takes nearly anything for a date; these begin with the day of the week.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** Google says it in the error: `{"retryDelay":"34.5s"}`. */
function delayIn({ details }: Told): number | undefined {
  const delays = details.flatMap((detail) => {
    const delay = textAt(detail, 'retryDelay');
    return delay?.endsWith('s') === true ? [milliseconds(delay.slice(0, -1), 1000)] : [];
  });
  const delay = delays.find((each) => each !== undefined);
  return delay === undefined ? undefined : Math.min(delay, MAX_RETRY_AFTER_MS);
}

function milliseconds(text: string, unitMs: number): number | undefined {
  return /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(text) ? Math.ceil(Number(text) * unitMs) : undefined;
}

function headerOf(headers: BadAnswer['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
