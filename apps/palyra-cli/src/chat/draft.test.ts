import { describe, expect, it } from 'vitest';
import { type Draft, EMPTY, MAX_DRAFT, draftOf, goDown, goUp, insert } from './draft.ts';
import { type Press, edited } from './press.ts';

/** `|` stands for the cursor. */
function at(text: string): Draft {
  return { text: text.replace('|', ''), cursor: text.indexOf('|') };
}

function shown({ text, cursor }: Draft): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('a draft', () => {
  it.each<[string, Press, string]>([
    ['ab|', { text: 'c' }, 'abc|'],
    ['a|b', { name: 'backspace' }, '|b'],
    ['a👩‍👩‍👧|', { name: 'backspace' }, 'a|'],
    ['a|👩‍👩‍👧b', { name: 'delete' }, 'a|b'],
    ['a|b', { name: 'left' }, '|ab'],
    ['a|b', { name: 'right' }, 'ab|'],
    ['x\na|b', { name: 'home' }, 'x\n|ab'],
    ['x\na|b\nc', { name: 'end' }, 'x\nab|\nc'],
    ['one zwei| x', { text: 'w', ctrl: true }, 'one | x'],
    ['one zwei| x', { name: 'backspace', alt: true }, 'one | x'],
    ['x\none| two', { text: 'u', ctrl: true }, 'x\n| two'],
    ['one| two\nx', { text: 'k', ctrl: true }, 'one|\nx'],
    ['one two|', { text: 'b', alt: true }, 'one |two'],
    ['|one two', { name: 'right', alt: true }, 'one| two'],
    ['|', { name: 'backspace' }, '|'],
    ['|', { text: 'z', ctrl: true }, '|'],
  ])('%j after %j is %j', (before, press, after) => {
    expect(shown(edited(at(before), press))).toBe(after);
  });

  it('takes a paste as text: newlines stay, what a terminal obeys does not', () => {
    expect(insert(EMPTY, 'a\r\nb\rc\td\u001b[2J\u0007').text).toBe('a\nb\nc    d[2J');
  });

  it('has an end, and no half character there', () => {
    expect(insert(draftOf('x'), 'a'.repeat(MAX_DRAFT)).text).toHaveLength(MAX_DRAFT);
    const full = insert(draftOf('x'.repeat(MAX_DRAFT - 1)), '👍');
    expect(full.text.isWellFormed()).toBe(true);
  });

  it('lets the cursor go up and down between its lines, and says where there is none', () => {
    const draft = at('one\nlonger|\nx');
    expect(goUp(draft)).toEqual(at('one|\nlonger\nx'));
    expect(goDown(draft)).toEqual(at('one\nlonger\nx|'));
    expect(goUp(at('on|e\nx'))).toBeUndefined();
    expect(goDown(at('one\nx|'))).toBeUndefined();
    expect(goUp(at('\n|a'))).toEqual(at('|\na'));
  });
});
