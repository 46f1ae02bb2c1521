import { describe, expect, it } from 'vitest';
import { SILENCE, hearDelta, hearMessage, hearThought, openText } from './speech.ts';

/** Everything that is done after these pieces, and what is still open. */
function heard(...pieces: readonly string[]) {
  let speech = SILENCE;
  const done: string[] = [];
  for (const piece of pieces) {
    const step = hearDelta(speech, piece);
    speech = step.speech;
    done.push(...step.done);
  }
  return { speech, done };
}

describe('what a model is saying', () => {
  it('leaves block by block, and the last one stays until it is done', () => {
    const { speech, done } = heard('one', ' two\n', '\nthr', 'ee\n\n', 'four\n', '\nfi');
    expect(done).toEqual(['one two\n\n', 'three\n\nfour\n\n']);
    expect(openText(speech)).toBe('fi');
  });

  it('is not told twice when the message comes', () => {
    const { speech } = heard('one\n\ntwo\n');
    expect(hearMessage(speech, 'one\n\ntwo\n')).toEqual({ speech: SILENCE, done: ['two\n'] });
  });

  it('is told whole to who joined in the middle', () => {
    const { speech } = heard('the middle\n\nof it\n');
    expect(hearMessage(speech, 'from the start, the middle\n\nof it\n').done).toEqual([
      'from the start, the middle\n\nof it\n',
    ]);
  });

  it('has one kind of newline, also one that comes in two pieces', () => {
    const { speech, done } = heard('one\r', '\n\r\ntwo\r\n');
    expect(done).toEqual(['one\n\n']);
    expect(hearMessage(speech, 'one\r\n\r\ntwo\r\n').done).toEqual(['two\n']);
  });

  it('is parted where it is too long, and code stays code', () => {
    const line = `${'x'.repeat(99)}\n`;
    const { speech, done } = heard(`\`\`\`ts\n${line.repeat(200)}`);
    expect(done.map(({ length }) => length)).toEqual([8106, 8106]);
    expect(done.every((piece) => piece.startsWith('```ts\nx'))).toBe(true);
    expect(openText(speech)).toBe(`\`\`\`ts\n${line.repeat(38)}`);
    const ended = hearMessage(speech, `${speech.said}\`\`\`\n\nend\n`);
    expect(ended.done).toEqual([`\`\`\`ts\n${line.repeat(38)}\`\`\`\n\nend\n`]);
  });

  it('is parted also where it has no lines, and loses nothing', () => {
    const text = 'word '.repeat(10_000);
    const { speech, done } = heard(text);
    expect(done.join('') + openText(speech)).toBe(text);
    expect(hearMessage(SILENCE, text).done.join('')).toBe(text);
  });

  it('is thought before it is said, and only the end of a thought is kept', () => {
    const thinking = hearThought(hearThought(SILENCE, 'a'.repeat(5000)), 'end');
    expect(thinking.thought).toHaveLength(2000);
    expect(thinking.thought.endsWith('aend')).toBe(true);
    expect(hearDelta(thinking, 'x').speech.thought).toBe('');
  });
});
