import { describe, expect, it } from 'vitest';
import { failureInStream, failureOfAnswer } from './errors.ts';

const NOW = new Date('2030-01-01T00:00:00Z');

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return failureOfAnswer({ status, headers, body: text, now: NOW });
}

describe('an answer that is an error', () => {
  it.each([
    [
      'openai',
      401,
      { error: { message: 'x', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'bad-key',
    ],
    ['openai', 404, { error: { message: 'x', code: 'model_not_found' } }, 'no-such-model'],
    ['openai', 429, { error: { message: 'x', code: 'rate_limit_exceeded' } }, 'rate-limited'],
    ['openai', 429, { error: { message: 'x', code: 'insufficient_quota' } }, 'out-of-credit'],
    [
      'openai',
      400,
      { error: { message: 'x', code: 'context_length_exceeded' } },
      'context-too-long',
    ],
    ['openai', 400, { error: { message: 'x', code: 'content_policy_violation' } }, 'refused'],
    ['openai', 400, { error: { message: 'x', type: 'invalid_request_error' } }, 'bad-request'],
    ['openai', 500, { error: { message: 'x', type: 'server_error' } }, 'overloaded'],
    [
      'anthropic',
      401,
      { type: 'error', error: { type: 'authentication_error', message: 'x' } },
      'bad-key',
    ],
    [
      'anthropic',
      403,
      { type: 'error', error: { type: 'permission_error', message: 'x' } },
      'bad-key',
    ],
    [
      'anthropic',
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'x' } },
      'no-such-model',
    ],
    [
      'anthropic',
      413,
      { type: 'error', error: { type: 'request_too_large', message: 'x' } },
      'context-too-long',
    ],
    [
      'anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens' },
      },
      'context-too-long',
    ],
    [
      'anthropic',
      429,
      { type: 'error', error: { type: 'rate_limit_error', message: 'x' } },
      'rate-limited',
    ],
    [
      'anthropic',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      'overloaded',
    ],
    [
      'google',
      400,
      {
        error: {
          code: 400,
          message: 'x',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
      'bad-key',
    ],
    ['google', 403, { error: { code: 403, message: 'x', status: 'PERMISSION_DENIED' } }, 'bad-key'],
    ['google', 404, { error: { code: 404, message: 'x', status: 'NOT_FOUND' } }, 'no-such-model'],
    [
      'google',
      429,
      [{ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } }],
      'rate-limited',
    ],
    ['google', 503, { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }, 'overloaded'],
    [
      'google',
      400,
      {
        error: { code: 400, message: 'the input token count exceeds', status: 'INVALID_ARGUMENT' },
      },
      'context-too-long',
    ],
    [
      'llama.cpp',
      400,
      { error: { code: 400, message: 'x', type: 'exceed_context_size_error' } },
      'context-too-long',
    ],
    ['a proxy', 502, '<html>bad gateway</html>', 'overloaded'],
    ['a proxy', 404, '<html>not here</html>', 'not-an-api'],
    ['a proxy', 403, '', 'bad-key'],
    ['a proxy', 408, '', 'timed-out'],
    ['a proxy', 400, 'what?', 'not-an-api'],
    ['ollama', 404, { error: 'model "x" not found' }, 'no-such-model'],
    ['somebody', 402, {}, 'out-of-credit'],
    ['somebody', 418, { error: null }, 'bad-request'],
    ['somebody', 200, { __proto__: null, error: { type: 'constructor' } }, 'bad-request'],
  ])('of %s with %i and %j is %s', (_who, status, body, reason) => {
    expect(answer(status, body).reason).toBe(reason);
  });

  it('says what the provider said, short, on one line and without secrets', () => {
    const message = `wrong\u001b[31m \`key\` sk-${'a'.repeat(40)}\n${'x'.repeat(500)}`;
    const failure = answer(401, { error: { message } });
    expect(failure.message).toMatch(/^the provider does not accept the key \(status 401\): `wrong/);
    expect(failure.message).not.toMatch(/\p{Cc}|sk-a|x{300}/u);
    expect(failure.help).toContain('models.key_env');
  });
});

describe('how long a provider wants to be left alone', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': ' 1.5 ' }, 1500],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:30 GMT' }, 0],
    [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 10_800_000],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '1e9' }, undefined],
    [{ 'retry-after': '999999999' }, 10_800_000],
    [{}, undefined],
  ])('in %j is %s ms', (headers, ms) => {
    expect(answer(429, '', { ...headers }).retryAfterMs).toBe(ms);
  });

  it('may stand in the error itself', () => {
    const details = [{ '@type': 'RetryInfo', retryDelay: '34.5s' }];
    expect(answer(429, { error: { status: 'RESOURCE_EXHAUSTED', details } }).retryAfterMs).toBe(
      34_500,
    );
  });
});

describe('an error in the stream', () => {
  it.each([
    [{ type: 'overloaded_error', message: 'x' }, 'overloaded'],
    [{ code: 502, message: 'x' }, 'overloaded'],
    [{ code: 429, message: 'x' }, 'rate-limited'],
    [{ code: 'rate_limit_exceeded' }, 'rate-limited'],
    [{ message: 'this exceeds the context window' }, 'context-too-long'],
    [{}, 'overloaded'],
    [null, 'overloaded'],
    ['text', 'overloaded'],
  ])('%j is %s', (error, reason) => {
    expect(failureInStream(error).reason).toBe(reason);
  });
});
