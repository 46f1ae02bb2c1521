import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCedar } from '../engine/cedar.ts';
import { HOSTILE_TEXTS, anyText } from './any-text.fixture.ts';
import { entityText, stringText, valueText } from './cedar-text.ts';

const cedar = await loadCedar();

/** What Cedar reads where the text stands in a rule. */
function readBack(text: string): unknown {
  const answer = cedar.policyToJson(`permit (principal, action, resource) when { ${text} };`);
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  const { conditions } = answer.json;
  expect(conditions).toHaveLength(1);
  return conditions[0]?.body;
}

describe('a string in a rule', () => {
  it.each(HOSTILE_TEXTS)('is read back as what it was: %j', (text) => {
    expect(readBack(stringText(text))).toEqual({ Value: text });
  });

  it('is read back as what it was, whatever it holds', () => {
    // Many at once: it is the parsing of a rule that takes the time.
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 20 }), (texts) => {
        expect(readBack(`[${texts.map(stringText).join(', ')}]`)).toEqual({
          Set: texts.map((Value) => ({ Value })),
        });
      }),
      { numRuns: 50 },
    );
  });

  it('shows everything that it holds', () => {
    expect(stringText('a\u202eb\n"c\\*')).toBe('"a\\u{202e}b\\u{000a}\\"c\\\\*"');
  });

  it('with half a surrogate pair is not read at all', () => {
    expect(() => readBack(stringText('\ud800'))).toThrow();
  });
});

describe('a value in a rule', () => {
  it('is an entity, a number or a boolean as well', () => {
    expect(readBack(entityText({ type: 'Tool', id: 'a"b' }))).toEqual({
      Value: { __entity: { type: 'Tool', id: 'a"b' } },
    });
    expect(valueText({ __entity: { type: 'Tier', id: 'C' } })).toBe('Tier::"C"');
    expect(valueText({ type: 'Tier', id: 'C' })).toBe('Tier::"C"');
    expect(valueText(443)).toBe('443');
    expect(valueText(false)).toBe('false');
  });

  it('is nothing that no rule can be compared with', () => {
    expect([1.5, 2 ** 60, null, {}, []].map(valueText)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });
});
