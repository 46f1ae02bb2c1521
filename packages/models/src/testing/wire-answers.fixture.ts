import type { SaidEvent } from '../model-port.ts';
import { speakChat } from './speak-chat.fixture.ts';
import { speakGenerate } from './speak-generate.fixture.ts';
import { speakMessages } from './speak-messages.fixture.ts';
import { speakResponses } from './speak-responses.fixture.ts';
import { type Speech, data, named } from './speech.fixture.ts';

export interface WireFixture {
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly api: 'chat' | 'responses';
  /** Added to the server's address to make a base URL. */
  readonly root: string;
  readonly path: string;
  readonly keyHeader: string;
  readonly key: (key: string) => string;
  readonly speak: (speech: Speech) => string;
  readonly errorInStream: string;
}

export const WIRES: Readonly<Record<string, WireFixture>> = {
  'openai chat': {
    provider: 'openai',
    api: 'chat',
    root: '/v1',
    path: '/v1/chat/completions',
    keyHeader: 'authorization',
    key: (key) => `Bearer ${key}`,
    speak: speakChat,
    errorInStream: data({ error: { code: 502, message: 'upstream is gone' }, choices: [] }),
  },
  'openai responses': {
    provider: 'openai',
    api: 'responses',
    root: '/v1',
    path: '/v1/responses',
    keyHeader: 'authorization',
    key: (key) => `Bearer ${key}`,
    speak: speakResponses,
    errorInStream: named('response.failed', {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'upstream is gone' } },
    }),
  },
  anthropic: {
    provider: 'anthropic',
    api: 'chat',
    root: '',
    path: '/v1/messages',
    keyHeader: 'x-api-key',
    key: (key) => key,
    speak: speakMessages,
    errorInStream: named('error', {
      type: 'error',
      error: { type: 'overloaded_error', message: 'upstream is gone' },
    }),
  },
  google: {
    provider: 'google',
    api: 'chat',
    root: '/v1beta',
    path: '/v1beta/models/test-model:streamGenerateContent?alt=sse',
    keyHeader: 'x-goog-api-key',
    key: (key) => key,
    speak: speakGenerate,
    errorInStream: data({
      error: { code: 503, status: 'UNAVAILABLE', message: 'upstream is gone' },
    }),
  },
};

/** The events that the speech has to become. */
export function eventsOf({ reasoning = [], text = [], calls = [], usage }: Speech): SaidEvent[] {
  return [
    ...reasoning.map((each): SaidEvent => ({ kind: 'reasoning', text: each })),
    ...text.map((each): SaidEvent => ({ kind: 'text', text: each })),
    ...calls.map(({ name, args }): SaidEvent => ({
      kind: 'tool-call',
      tool: name.replaceAll('_', '.'),
      argumentsJson: JSON.stringify(args),
    })),
    ...(usage === undefined ? [] : [usageOf(usage)]),
  ];
}

function usageOf({ input, output, cached }: NonNullable<Speech['usage']>): SaidEvent {
  return { kind: 'usage', inputTokens: input, outputTokens: output, cachedTokens: cached };
}
