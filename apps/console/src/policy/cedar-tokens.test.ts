import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cedarTokens } from './cedar-tokens.ts';

const kindsOf = (source: string) =>
  cedarTokens(source)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`);

describe('the words of a rule', () => {
  it('are told apart', () => {
    const rule =
      '@id("a") // why\npermit (principal is User, action == Action::"x") when { 1 < 2 };';
    expect(kindsOf(rule)).toEqual([
      'annotation @id',
      'string "a"',
      'comment // why',
      'keyword permit',
      'keyword principal',
      'keyword is',
      'keyword action',
      'entity Action',
      'string "x"',
      'keyword when',
      'number 1',
      'number 2',
    ]);
  });

  it('are no words inside of strings and comments', () => {
    expect(kindsOf('"permit \\" forbid" // when "x')).toEqual([
      'string "permit \\" forbid"',
      'comment // when "x',
    ]);
  });

  it('are all of the source, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (source) => {
        expect(
          cedarTokens(source)
            .map(({ text }) => text)
            .join(''),
        ).toBe(source);
      }),
    );
  });
});
