import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { parseScript } from './parse-script.ts';
import { SCRIPT_LIMITS } from './script.ts';

describe('a script', () => {
  it('is read in full', () => {
    const text = `{
      "format": "palyra.script.v1",
      "pace_ms": 0,
      "turns": [
        [{ "text": "hello {{prompt}}" }, { "tool": "fs.read", "arguments": { "path": "a", "n": 1.0 } }],
        [{ "text": "bye" }]
      ]
    }`;
    expect(parseScript(text, 'a.json')).toEqual({
      paceMs: 0,
      turns: [
        [
          { kind: 'text', text: 'hello {{prompt}}' },
          { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"n":1,"path":"a"}' },
        ],
        [{ kind: 'text', text: 'bye' }],
      ],
    });
  });

  it('has a pace when it names none', () => {
    expect(parse([[{ text: 'a' }]]).paceMs).toBe(12);
  });

  it('may be as large as the limits say', () => {
    const { stepsPerTurn, textBytes } = SCRIPT_LIMITS;
    expect(
      parse(Array.from({ length: SCRIPT_LIMITS.turns }, () => [{ text: 'a' }])).turns,
    ).toHaveLength(200);
    expect(
      parse([Array.from({ length: stepsPerTurn }, () => ({ text: 'a' }))]).turns[0],
    ).toHaveLength(100);
    expect(parse([[{ text: 'é'.repeat(textBytes / 2) }]]).turns).toHaveLength(1);
  });

  it('keeps arguments as they are, a key that names the prototype too', () => {
    const text =
      '{"format":"palyra.script.v1","turns":[[{"tool":"a","arguments":{"__proto__":{"b":1}}}]]}';
    expect(parseScript(text, 'a').turns[0]).toEqual([
      { kind: 'tool-call', tool: 'a', argumentsJson: '{"__proto__":{"b":1}}' },
    ]);
  });
});

it('the script in the guide is a good one', () => {
  const guide = join(import.meta.dirname, '../../../../docs/guides/scripted-model.md');
  const example = /```json\n(.*?)```/s.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  expect(parseScript(example, 'scripted-model.md').turns.length).toBeGreaterThan(1);
});

const MALFORMED: readonly (readonly [string, string, string])[] = [
  ['nothing', '', 'is not json'],
  ['half a file', '{"format":', 'is not json'],
  ['a list', '[]', 'is not an object'],
  ['null', 'null', 'is not an object'],
  ['no format', '{"turns":[]}', 'is wrong at `format`, which is not `palyra.script.v1`'],
  [
    'another format',
    '{"format":"palyra.script.v2","turns":[]}',
    'is wrong at `format`, which is not `palyra.script.v1`',
  ],
  ['no turns', document({}), 'is wrong at `turns`, which is not a list of turns'],
  ['an empty list of turns', turns([]), 'is wrong at `turns`, which has no turn'],
  [
    'too many turns',
    turns(Array.from({ length: 201 }, () => [{ text: 'a' }])),
    'is wrong at `turns`, which has more than 200 turns',
  ],
  ['an empty turn', turns([[]]), 'is wrong at `turns[0]`, which has no step'],
  ['a turn that is text', turns(['a']), 'is wrong at `turns[0]`, which is not a list of steps'],
  [
    'too many steps',
    turns([Array.from({ length: 101 }, () => ({ text: 'a' }))]),
    'is wrong at `turns[0]`, which has more than 100 steps',
  ],
  ['a step that is text', turns([['a']]), 'is wrong at `turns[0][0]`, which is not an object'],
  [
    'an unknown key in a step',
    turns([[{ text: 'a' }, { texd: 'a' }]]),
    'is wrong at `turns[0][1]`, which has an unknown key `texd`',
  ],
  [
    'an unknown key',
    document({ turns: [[{ text: 'a' }]], model: 1 }),
    'has an unknown key `model`',
  ],
  [
    'an unknown key that would break the message',
    document({ turns: [[{ text: 'a' }]], '`\n': 1 }),
    'has an unknown key `\\u{0060}\\u{000a}`',
  ],
  ['an empty step', turns([[{}]]), oneOf('turns[0][0]')],
  ['text and a tool', turns([[{ text: 'a', tool: 'b', arguments: {} }]]), oneOf('turns[0][0]')],
  ['a tool without arguments', turns([[{ tool: 'a' }]]), oneOf('turns[0][0]')],
  ['arguments without a tool', turns([[{ arguments: {} }]]), oneOf('turns[0][0]')],
  ['empty text', turns([[{ text: '' }]]), 'is wrong at `turns[0][0].text`, which is empty'],
  [
    'text that is a number',
    turns([[{ text: 1 }]]),
    'is wrong at `turns[0][0].text`, which is not text',
  ],
  [
    'text that is too long',
    turns([[{ text: 'a' }], [{ text: 'é'.repeat(32 * 1024 + 1) }]]),
    'is wrong at `turns[1][0].text`, which is longer than 65536 bytes',
  ],
  [
    'half a surrogate pair',
    turns([[{ text: '\ud800' }]]),
    'is wrong at `turns[0][0].text`, which holds half a surrogate pair',
  ],
  [
    'a tool without a name',
    turns([[{ tool: '', arguments: {} }]]),
    'is wrong at `turns[0][0].tool`, which is empty',
  ],
  [
    'a tool with a long name',
    turns([[{ tool: 'a'.repeat(129), arguments: {} }]]),
    'is wrong at `turns[0][0].tool`, which is longer than 128 characters',
  ],
  [
    'arguments that are a list',
    turns([[{ tool: 'a', arguments: [] }]]),
    'is wrong at `turns[0][0].arguments`, which is not an object',
  ],
  [
    'arguments that are text',
    turns([[{ tool: 'a', arguments: '{}' }]]),
    'is wrong at `turns[0][0].arguments`, which is not an object',
  ],
  [
    'a number that is not finite',
    '{"format":"palyra.script.v1","turns":[[{"tool":"a","arguments":{"b":1e999}}]]}',
    'is wrong at `turns[0][0].arguments`, which cannot be sent: a number is not finite',
  ],
  [
    'arguments that are nested too deeply',
    `{"format":"palyra.script.v1","turns":[[{"tool":"a","arguments":{"b":${'['.repeat(400_000)}${']'.repeat(400_000)}}}]]}`,
    'is wrong at `turns[0][0].arguments`, which cannot be sent: nested deeper than 200 levels',
  ],
  ['a pace in parts', paced(1.5), 'is wrong at `pace_ms`, which is not a whole number'],
  ['a pace in words', paced('12'), 'is wrong at `pace_ms`, which is not a whole number'],
  ['a pace backwards', paced(-1), 'is wrong at `pace_ms`, which is below 0'],
  ['a pace for ever', paced(1001), 'is wrong at `pace_ms`, which is above 1000'],
  ['too many bytes', ' '.repeat(1024 * 1024 + 1), 'is larger than 1048576 bytes'],
  ['too many bytes in few characters', 'é'.repeat(600_000), 'is larger than 1048576 bytes'],
];

describe('a malformed script', () => {
  it.each(MALFORMED)('with %s is refused, and the error says where', (_name, text, problem) => {
    const error = refusalOf(text);
    expect(error.code).toBe('SCRIPT_INVALID');
    expect(error.message).toBe(`script \`a.json\` ${problem}`);
  });
});

function refusalOf(text: string): PalyraError {
  try {
    parseScript(text, 'a.json');
  } catch (error) {
    if (error instanceof PalyraError) return error;
    throw error;
  }
  throw new Error('the script was accepted');
}

function parse(list: unknown) {
  return parseScript(turns(list), 'a.json');
}

function turns(list: unknown): string {
  return document({ turns: list });
}

function paced(pace: unknown): string {
  return document({ pace_ms: pace, turns: [[{ text: 'a' }]] });
}

function document(fields: object): string {
  return JSON.stringify({ format: 'palyra.script.v1', ...fields });
}

function oneOf(path: string): string {
  return `is wrong at \`${path}\`, which has to hold either \`text\`, or \`tool\` and \`arguments\``;
}
