import { PalyraError } from '@palyra/kernel';
import * as fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { setValue } from './edit.ts';
import { SECTIONS } from './sample.fixture.ts';

function set(text: string, key: string, value: string): string {
  return setValue(SECTIONS, text, { key, value });
}

describe('setting a key in a file', () => {
  it.each([
    ['an empty file', '', '[journal]\nkeep_days = 7\n'],
    ['a file of comments', '# mine\n', '# mine\n\n[journal]\nkeep_days = 7\n'],
    ['its line', '[journal]\nkeep_days = 3\n', '[journal]\nkeep_days = 7\n'],
    [
      'its line with a remark',
      '[journal]\n  keep_days   =   0x1F   # a month\nsegment_bytes = 4096',
      '[journal]\n  keep_days   =   7   # a month\nsegment_bytes = 4096',
    ],
    ['a quoted key', '["journal"]\n\'keep_days\' = 3\n', '["journal"]\n\'keep_days\' = 7\n'],
    ['a dotted key', 'journal.keep_days = 3\n', 'journal.keep_days = 7\n'],
    ['an inline table', 'journal = { keep_days = 3 }\n', 'journal = { keep_days = 7 }\n'],
    [
      'an inline table without it',
      'journal = { segment_bytes = 5000 }\n',
      'journal = { keep_days = 7, segment_bytes = 5000 }\n',
    ],
    ['an empty inline table', 'journal = {}\n', 'journal = { keep_days = 7 }\n'],
    [
      'a section without it',
      '[journal]\nsegment_bytes = 5000 # small\n\n# next\n[transport]\ntls = true\n',
      '[journal]\nsegment_bytes = 5000 # small\nkeep_days = 7\n\n# next\n[transport]\ntls = true\n',
    ],
    [
      'an empty section',
      '[journal] # mine\n\n[transport]\n',
      '[journal] # mine\nkeep_days = 7\n\n[transport]\n',
    ],
    ['a section at the very end', '[journal]', '[journal]\nkeep_days = 7\n'],
    [
      'a section of dotted keys',
      'journal.segment_bytes = 5000\n\n[transport]\n',
      'journal.segment_bytes = 5000\njournal.keep_days = 7\n\n[transport]\n',
    ],
    [
      'a file without the section and the last newline',
      '[transport]\ntls = true',
      '[transport]\ntls = true\n\n[journal]\nkeep_days = 7\n',
    ],
    [
      'a file with windows line ends',
      '[journal]\r\nsegment_bytes = 5000\r\n',
      '[journal]\r\nsegment_bytes = 5000\r\nkeep_days = 7\r\n',
    ],
    [
      'a file whose text looks like keys',
      '[transport]\nlisten = """\n[journal]\nkeep_days = 1\n"""\n',
      '[transport]\nlisten = """\n[journal]\nkeep_days = 1\n"""\n\n[journal]\nkeep_days = 7\n',
    ],
  ])('changes %s and nothing else', (_, before, after) => {
    expect(set(before, 'journal.keep_days', '7')).toBe(after);
  });

  it.each([
    ['transport.tls', 'true', 'tls = true'],
    ['transport.ratio', '0.25', 'ratio = 0.25'],
    ['journal.segment_bytes', ' 1_000_000 ', 'segment_bytes = 1_000_000'],
    ['transport.origins', '["a", \'b\']', 'origins = ["a", \'b\']'],
    ['transport.listen', 'a "b" \\ \t\n\u007F', String.raw`listen = "a \"b\" \\ \t\n\u007F"`],
    ['deployment.profile', 'remote_vps', 'profile = "remote_vps"'],
  ])('writes %s by its type', (key, value, line) => {
    expect(set('', key, value).split('\n')[1]).toBe(line);
  });

  it('replaces a list over several lines', () => {
    const before = '[transport]\norigins = [\n  "a", # ]\n  "b",\n] # both\ntls = true\n';
    expect(set(before, 'transport.origins', '[]')).toBe(
      '[transport]\norigins = [] # both\ntls = true\n',
    );
  });

  it.each([
    ['an unknown key', '', 'journal.keep_day', '7', 'CONFIG_UNKNOWN_KEY'],
    ['a value out of bounds', '', 'journal.keep_days', '0', 'CONFIG_INVALID'],
    ['a value of another type', '', 'journal.keep_days', '"7"', 'CONFIG_INVALID'],
    ['a value with a second line', '', 'journal.keep_days', '7\nx = 1', 'CONFIG_INVALID'],
    ['a value with a comment', '', 'journal.keep_days', '7 # x', 'CONFIG_INVALID'],
    ['half a character', '', 'transport.listen', '\uD800', 'CONFIG_INVALID'],
    ['a file that is not TOML', '[journal\n', 'journal.keep_days', '7', 'CONFIG_INVALID'],
    ['a section that is a value', 'journal = 3\n', 'journal.keep_days', '7', 'CONFIG_INVALID'],
    ['a section that is a list', '[[journal]]\n', 'journal.keep_days', '7', 'CONFIG_INVALID'],
    ['a key that is a table', '[journal.keep_days]\n', 'journal.keep_days', '7', 'CONFIG_INVALID'],
  ])('refuses %s', (_, text, key, value, code) => {
    expect(() => set(text, key, value)).toThrow(expect.objectContaining({ code }));
    expect(() => set(text, key, value)).toThrow(PalyraError);
  });

  it.each([
    ['0', '`journal.keep_days` takes a whole number from 1 to 3650, not `0`'],
    ['soon', '`journal.keep_days` cannot be read: '],
  ])('names no layer when it refuses %s, for nobody wrote it to one', (value, message) => {
    const help =
      'correct the value; `palyra config explain journal.keep_days` tells what the key takes';
    expect(() => set('', 'journal.keep_days', value)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), help }),
    );
    expect(() => set('', 'journal.keep_days', value)).not.toThrow('--set');
  });

  it('never shows the secret that it refuses', () => {
    expect(() => set('', 'transport.password', 'hunter2')).toThrow(
      /takes text of 8 to 100 characters, not what is set$/,
    );
  });

  it('changes exactly that key in any file', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()));
    const name = fc.oneof(
      fc.constantFrom('journal', 'keep_days', 'a.b', 'x y', '"', "'", '#', ''),
      fc.string({ maxLength: 5 }).filter((text) => text !== '__proto__'),
    );
    const table = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
    const file = fc.dictionary(name, fc.oneof(table, value), { maxKeys: 4, noNullPrototype: true });
    fc.assert(
      fc.property(file, table, (others, journal) => {
        const content = { ...others, journal };
        const changed = parse(set(stringify(content), 'journal.keep_days', '7'));
        const expected = { ...content, journal: { ...journal, keep_days: 7 } };
        expect(changed).toEqual(parse(stringify(expected)));
      }),
      { numRuns: 300 },
    );
  });
});
