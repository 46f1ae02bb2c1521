import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BAD_FILES } from './bad-files.fixture.ts';
import { readFileLayer } from './layers.ts';
import { SECTIONS } from './sample.fixture.ts';
import { declareKeys } from './sections.ts';
import { readToml } from './toml-file.ts';

const declarations = declareKeys(SECTIONS);
const origin = { kind: 'user', file: '/home/ada/palyra.toml' } as const;

describe('a file that is not TOML', () => {
  it.each(BAD_FILES)('is refused with its line: %s', (_, content, line) => {
    const { settings, problems } = readFileLayer(declarations, Buffer.from(content), origin);
    expect(settings).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'CONFIG_INVALID', origin: { ...origin, line } });
    expect(problems[0]?.message).toContain(`/home/ada/palyra.toml:${line} is not valid TOML`);
    expect(problems[0]?.message).not.toMatch(/\p{Cc}/u);
  });

  it('is refused without quoting what stands in it', () => {
    const content = '[transport]\npassword = "hunter2hunter2" oops\n';
    const { problems } = readFileLayer(declarations, Buffer.from(content), origin);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});

describe('a file that is TOML', () => {
  it('may be empty, begin with a byte order mark and end without a newline', () => {
    expect(readToml(Buffer.from(''))).toMatchObject({ kind: 'read', table: {} });
    const { settings } = readFileLayer(
      declarations,
      Buffer.from('\uFEFF[journal]\r\nkeep_days = 3'),
      origin,
    );
    expect(settings).toMatchObject([{ value: 3, origin: { line: 2 } }]);
  });

  it('tells the line of each key, however it is written', () => {
    const content = [
      '# comment with [brackets] and = signs',
      'journal.keep_days = 3',
      'deployment = { # a remark',
      '  profile = "local" }',
      '["transport"]',
      'origins = [ # } ]',
      '  \'a]\', "b\\"#",',
      ']',
      '"listen" = """',
      '[not.a.header]',
      'tls = "nor a key" """',
      "'tls'\t=\ttrue",
    ].join('\n');
    const { settings, problems } = readFileLayer(declarations, Buffer.from(content), origin);
    expect(problems).toEqual([]);
    const lines = settings.map(({ declaration, origin: from }) => [
      declaration.path,
      'line' in from ? from.line : undefined,
    ]);
    expect(Object.fromEntries(lines)).toEqual({
      'journal.keep_days': 2,
      'deployment.profile': 4,
      'transport.origins': 6,
      'transport.listen': 9,
      'transport.tls': 12,
    });
  });
});

const PIECES = (
  '[ ] { } = . , " \' \\ # - _ """ \'\'\' 1 1e9 true 2024-02-30 journal keep_days transport ' +
  '__proto__ constructor'
)
  .split(' ')
  .concat(' ', '\n', '\r', '\u0000', '\uFEFF', '\u{1F600}');

function codesOf(content: Uint8Array): readonly string[] {
  return readFileLayer(declarations, content, origin).problems.map(({ code }) => code);
}

function areOurs(codes: readonly string[]): boolean {
  return codes.every((code) => code === 'CONFIG_INVALID' || code === 'CONFIG_UNKNOWN_KEY');
}

describe('any bytes', () => {
  it('are read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(codesOf(bytes)).toSatisfy(areOurs);
      }),
      { numRuns: 500 },
    );
  });

  it('that are nearly TOML are read or refused, never thrown at', () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(codesOf(Buffer.from(pieces.join('')))).toSatisfy(areOurs);
      }),
      { numRuns: 2000 },
    );
  });
});
