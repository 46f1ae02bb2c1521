import { PalyraError } from '@palyra/kernel';

/** Why a model failed. Whoever has to decide looks at this, never at a message. */
export type FailureReason =
  | 'bad-key'
  | 'no-such-model'
  | 'rate-limited'
  | 'out-of-credit'
  | 'overloaded'
  | 'context-too-long'
  | 'output-limit'
  | 'too-much-said'
  | 'refused'
  | 'bad-request'
  | 'not-an-api'
  | 'unreachable'
  | 'timed-out'
  | 'too-slow'
  | 'broken-stream'
  | 'paused'
  | 'left-alone';

export interface FailureDetails {
  readonly cause?: unknown;
  readonly help?: string;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs?: number;
}

/** MODEL_FAILED with its reason. */
export class ModelFailure extends PalyraError {
  readonly reason: FailureReason;
  readonly retryAfterMs: number | undefined;

  constructor(reason: FailureReason, message: string, details: FailureDetails = {}) {
    super('MODEL_FAILED', message, {
      help: details.help ?? HELP[reason],
      ...(details.cause === undefined ? {} : { cause: details.cause }),
    });
    this.reason = reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Whether the same request may succeed a moment later. */
export function isPassing(reason: FailureReason): boolean {
  return PASSING.includes(reason);
}

/**
 * Whether another model may be asked instead. Not after a refusal, which nobody may get around by
 * asking elsewhere, and not when the request itself is at fault.
 */
export function isForAnotherModel(reason: FailureReason): boolean {
  return !NOT_ELSEWHERE.includes(reason);
}

/** Whether it was not asked at all, because it is not its time. */
export function isUnasked(reason: FailureReason): boolean {
  return reason === 'paused' || reason === 'left-alone';
}

/** Whether nobody has worked on the request, where no word of an answer came. One that fell silent may have. */
export function isUnworked(reason: FailureReason): boolean {
  return !MAY_HAVE_WORKED.includes(reason);
}

/** Whether it says that the provider is unwell; a rate limit says that it is well and busy with us. */
export function isSickness(reason: FailureReason): boolean {
  return isPassing(reason) && reason !== 'rate-limited';
}

const PASSING: readonly FailureReason[] = [
  'rate-limited',
  'overloaded',
  'unreachable',
  'timed-out',
  'broken-stream',
];

const MAY_HAVE_WORKED: readonly FailureReason[] = [
  'output-limit',
  'too-much-said',
  'timed-out',
  'too-slow',
  'broken-stream',
];

const NOT_ELSEWHERE: readonly FailureReason[] = [
  'refused',
  'bad-request',
  'output-limit',
  'too-much-said',
];

const HELP: Readonly<Record<FailureReason, string>> = {
  'bad-key':
    'check the key that `models.key_env` or `models.key_file` leads to, and what it is allowed to do',
  'no-such-model': "correct `models.model`; the provider's own list has the names",
  'rate-limited': 'wait, or name other models in `models.failover`',
  'out-of-credit': "add credit in the provider's console, or choose another model",
  overloaded: 'try again later, or name other models in `models.failover`',
  'context-too-long':
    'start a new session, give it less to read, or choose a model with a larger context',
  'output-limit': 'raise `models.max_output_tokens`, or ask for less at once',
  'too-much-said': 'ask for less at once, for example a part of the files at a time',
  refused: 'put the task in other words; the provider will not answer it as it is',
  'bad-request':
    'see that the model takes tools and images; `models.api` chooses the wire format of openai',
  'not-an-api': 'correct `models.base_url`; it has to lead to the API itself',
  unreachable: 'see that this machine reaches `models.base_url`, and that the server runs',
  'timed-out': 'raise `models.first_byte_timeout_ms` or `models.idle_timeout_ms` for a slow model',
  'too-slow': 'raise `models.total_timeout_ms`, or ask for less at once',
  'broken-stream': 'if it stays, look at what stands between this machine and the provider',
  paused: 'wait for the next probe, or name other models in `models.failover`',
  'left-alone': 'wait until then, or name other models in `models.failover`',
};
