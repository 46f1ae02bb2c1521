import { describe, expect, it } from 'vitest';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelRequest } from '../model-port.ts';
import { addressee } from '../testing/addressee.fixture.ts';
import { SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { chatPost } from './request.ts';

const SERVER = addressee('http://127.0.0.1:1/v1');

describe('a request for chat completions', () => {
  it('holds the whole conversation', () => {
    expect(chatPost(SAMPLE_REQUEST, SERVER)).toEqual({
      path: 'chat/completions',
      headers: {},
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'be brief' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'what is this?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
            ],
          },
          {
            role: 'assistant',
            content: 'let me look',
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'fs_read', arguments: '{"path":"a"}' },
              },
              {
                id: 'c2',
                type: 'function',
                function: { name: 'fs_list', arguments: '{"not_a_json_object":"oops"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'first' },
          { role: 'tool', tool_call_id: 'c2', content: 'second' },
          { role: 'assistant', content: 'a picture' },
          { role: 'user', content: 'thanks' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'fs_read',
              description: 'reads a file',
              parameters: {
                type: 'object',
                properties: { path: { type: 'string' } },
                required: ['path'],
              },
            },
          },
          {
            type: 'function',
            function: {
              name: 'fs_list',
              description: 'lists a folder',
              parameters: { type: 'object' },
            },
          },
        ],
        max_tokens: 1000,
        stream: true,
        stream_options: { include_usage: true },
      } satisfies ChatCompletionCreateParamsStreaming,
    });
  });

  it('names the limit as OpenAI itself wants it', () => {
    const { body } = chatPost(SAMPLE_REQUEST, addressee('https://api.openai.com/v1'));
    expect(body).toMatchObject({ max_completion_tokens: 1000 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('has neither a system prompt nor tools when there are none', () => {
    const { body } = chatPost(
      { ...SAMPLE_REQUEST, system: '', tools: [], conversation: [] },
      SERVER,
    );
    expect(body).toMatchObject({ messages: [] });
    expect(body).not.toHaveProperty('tools');
  });

  it('asks for as much thinking as it is told', () => {
    const reasoning = { effort: 'low', tokens: undefined } as const;
    const { body } = chatPost(SAMPLE_REQUEST, { ...SERVER, reasoning });
    expect(body).toMatchObject({
      reasoning_effort: 'low',
    } satisfies Partial<ChatCompletionCreateParamsStreaming>);
  });

  it('gives thoughts back while tools are used, and not later', () => {
    const keepsake = { from: 'm', items: [{ reasoning_content: 'hm' }] };
    const call = { callId: 'c1', tool: 'fs.read', argumentsJson: '{}' };
    const turn = { role: 'model', text: '', toolCalls: [call], keepsake } as const;
    const result = { role: 'tool', callId: 'c1', text: 'a' } as const;
    const ask = { role: 'user', text: 'b' } as const;
    const sent = (...conversation: ModelRequest['conversation']) =>
      JSON.stringify(chatPost({ ...SAMPLE_REQUEST, conversation }, SERVER).body);
    expect(sent(ask, turn, result)).toContain('"reasoning_content":"hm"');
    expect(sent(ask, turn, result, ask)).not.toContain('reasoning_content');
  });
});
