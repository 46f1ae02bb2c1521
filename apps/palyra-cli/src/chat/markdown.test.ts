import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, MAX_MARKDOWN, blocksOf, openFence, settledLength } from './markdown.ts';

const plain = (text: string) => ({ text, tones: [] });

describe('markdown of a model', () => {
  it('has headings, emphasis and code in its lines', () => {
    expect(blocksOf('## A *b*\n\nc **d** `e`')).toEqual([
      { kind: 'heading', depth: 2, spans: [plain('A '), { text: 'b', tones: ['emphasis'] }] },
      {
        kind: 'paragraph',
        spans: [
          plain('c '),
          { text: 'd', tones: ['strong'] },
          plain(' '),
          { text: 'e', tones: ['accent'] },
        ],
      },
    ]);
  });

  it('has lists in lists, with their numbers and ticks', () => {
    expect(blocksOf('3. a\n4. b\n   - [x] c')).toEqual([
      {
        kind: 'list',
        items: [
          { mark: '3.', blocks: [{ kind: 'paragraph', spans: [plain('a')] }] },
          {
            mark: '4.',
            blocks: [
              { kind: 'paragraph', spans: [plain('b')] },
              {
                kind: 'list',
                items: [{ mark: '• [x]', blocks: [{ kind: 'paragraph', spans: [plain('c')] }] }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('has code, quotes, tables and rules', () => {
    const text = '```ts\na\n```\n\n> q\n\n---\n\n|h|\n|-|\n|c|\n';
    expect(blocksOf(text)).toEqual([
      { kind: 'code', language: 'ts', text: 'a' },
      { kind: 'quote', blocks: [{ kind: 'paragraph', spans: [plain('q')] }] },
      { kind: 'rule' },
      { kind: 'table', header: [[plain('h')]], rows: [[[plain('c')]]] },
    ]);
  });

  it('shows where a link leads, whatever its words say', () => {
    expect(textOf(blocksOf('[your bank](https://evil.example)'))).toBe(
      'your bank (https://evil.example)',
    );
    expect(textOf(blocksOf('https://a.example'))).toBe('https://a.example');
    expect(textOf(blocksOf('![x](https://a.example/i.png)'))).toBe(
      'image: x (https://a.example/i.png)',
    );
  });

  it('shows HTML as it is written', () => {
    expect(textOf(blocksOf('a <b>c</b>\n\n<script>x</script>'))).toBe(
      'a <b>c</b><script>x</script>',
    );
  });

  it.each([
    ['a command for the clipboard', '\u001b]52;c;ZXZpbA==\u0007'],
    ['a control sequence', '\u001b[2J\u001b[1;1H'],
    ['a control sequence in one character', '\u009b2J'],
    ['another title of the window', '\u001b]0;root\u0007'],
    ['an escape that is an entity', 'a &#27;[2J &#x1b;[2J &#155;2J'],
    ['an entity in the words of a link', '[a&#27;b](https://x.example/&#27;)'],
    ['an override of direction', 'a \u202e b'],
    ['an entity that overrides direction', '&#8238;'],
    ['characters without width', 'pay\u200bpal \u2060 \ufeff'],
    ['backspaces', 'rm\b\bls'],
    ['code', '`\u001b[2J`\n\n```\n\u001b[2J\n```'],
    ['a table', '|\u001b[2J|\n|-|\n|&#27;|'],
    ['a heading', '# \u001b[2J'],
  ])('cannot do anything to the terminal: %s', (_name, text) => {
    expect(textOf(blocksOf(text))).not.toMatch(UNSEEN);
    expect(textOf(blocksOf(text))).toMatch(/\\u\{[0-9a-f]+\}/);
  });

  it('keeps what cannot do anything as it is', () => {
    expect(textOf(blocksOf('```&#27;x\na\n```'))).toBe('&#27;xa');
    expect(textOf(blocksOf('safe\rrm'))).toBe('safe\nrm');
  });

  it('has nothing unseen in it, whatever comes in', () => {
    const entity = fc.nat(0x10ffff).map((code) => `&#${code};`);
    const mark = fc.constantFrom(
      '`',
      '*',
      '> ',
      '- ',
      '\n',
      '|',
      '[',
      '](',
      ')',
      '#',
      '```\n',
      '<',
      '&',
    );
    const piece = fc.oneof(fc.string({ unit: 'binary' }), entity, mark);
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(UNSEEN.test(textOf(blocksOf(pieces.join(''))))).toBe(false);
      }),
    );
  });

  it('that nobody can take apart is shown as it is', () => {
    for (const deep of ['>', '> ', '- ', '1. ', ' + > '].map((mark) => mark.repeat(2000))) {
      expect(textOf(blocksOf(deep))).toBe(deep.trimEnd());
    }
    const long = '*'.repeat(MAX_MARKDOWN + 1);
    expect(blocksOf(long)).toEqual([{ kind: 'paragraph', spans: [plain(long)] }]);
  });
});

describe('markdown that still grows', () => {
  it.each([
    ['', 0],
    ['one', 0],
    ['one\n', 0],
    ['one\n\n', 0],
    ['one\n\ntwo', 5],
    ['# a\nb', 4],
    ['- a\n- b\n\n', 0],
    ['```\na\n\nb', 0],
    ['a\n\n```\nb\n```\n', 3],
  ])('has done with all but its last block: %j', (text, length) => {
    expect(settledLength(text)).toBe(length);
  });
});

describe('code that is not closed', () => {
  it.each([
    ['```ts\na\n', '```ts'],
    ['x\n\n~~~~\na\n~~~\n', '~~~~'],
    ['```ts\na\n```\n', ''],
    ['```\na\n````', ''],
    ['    indented\n', ''],
    ['text', ''],
  ])('in %j begins with %j', (text, fence) => {
    expect(openFence(text)).toBe(fence);
  });
});

const UNSEEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n]/v;

/** Everything that reaches the terminal. */
function textOf(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.spans.map(({ text }) => text).join('');
    case 'code':
      return `${block.language}${block.text}`;
    case 'list':
      return block.items.map(({ mark, blocks }) => mark + textOf(blocks)).join('');
    case 'quote':
      return textOf(block.blocks);
    case 'table':
      return [block.header, ...block.rows]
        .flat(2)
        .map(({ text }) => text)
        .join('');
    case 'rule':
      return '';
  }
}
