import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { toolNames } from './names.ts';
import { openaiChat } from './openai-chat/provider.ts';

/** What is said when these come one after the other. */
function said(...deltas: readonly object[]) {
  const reader = new AnswerReader(openaiChat.reader(toolNames([])));
  const events = deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] }));
  return events.flatMap((event) => [...reader.push(Buffer.from(`data: ${event}\n\n`))]);
}

describe('an answer in pieces', () => {
  it('loses no character that a server has cut in two', () => {
    expect(said({ content: 'a\ud83d' }, { content: '\ude00' }, { content: 'b' })).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: '😀' },
      { kind: 'text', text: 'b' },
    ]);
  });

  it('keeps a half of a thought apart from what is said', () => {
    expect(
      said({ reasoning_content: '\ud83d' }, { content: 'hm' }, { reasoning_content: '\ude00' }),
    ).toEqual([
      { kind: 'text', text: 'hm' },
      { kind: 'reasoning', text: '😀' },
    ]);
  });

  it('leaves half a character out that nothing follows', () => {
    expect(said({ content: 'a\ud83d' })).toEqual([{ kind: 'text', text: 'a' }]);
  });
});
