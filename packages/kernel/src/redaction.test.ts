import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from './canonical-json.ts';
import { MAX_LOGGED_TEXT, MAX_LOGGED_VALUES, redact, redactText } from './redaction.ts';

describe('a value for the log', () => {
  it('loses secrets by name, wherever they stand', () => {
    expect(
      redact({
        user: 'bob',
        password: 'a',
        inner: { headers: [{ Authorization: 'b' }, { 'x-api-key': { id: 1 } }] },
        pin: 1234,
      }),
    ).toEqual({
      user: 'bob',
      password: '[redacted]',
      inner: { headers: [{ Authorization: '[redacted]' }, { 'x-api-key': '[redacted]' }] },
      pin: '[redacted]',
    });
  });

  it('loses secrets by shape, in values and in names', () => {
    const token = `ghp_${'x9Y8'.repeat(9)}`;
    expect(redact([`use ${token}`, { [token]: 1 }])).toEqual([
      'use [redacted]',
      { '[redacted]': 1 },
    ]);
  });

  it('says in words what json cannot', () => {
    expect(
      redact([1n, undefined, () => 1, Symbol('a'), new Uint8Array(3), null, true, 1.5]),
    ).toEqual(['1', '[undefined]', '[function]', '[symbol]', '[3 bytes]', null, true, 1.5]);
    expect(redact({ a: undefined, b: 1 })).toEqual({ b: 1 });
  });

  it('shows an error with its code and its cause, without their secrets', () => {
    const cause = new Error('password=x9Y8');
    const error = Object.assign(new TypeError('token: x9Y8', { cause }), { code: 'EACCES' });
    const shown = redact({ error });
    expect(shown).toMatchObject({
      error: {
        name: 'TypeError',
        message: 'token: [redacted]',
        code: 'EACCES',
        cause: { name: 'Error', message: 'password=[redacted]' },
      },
    });
    expect(JSON.stringify(shown)).not.toContain('x9Y8');
  });

  it('has an end, however deep, wide or circular it is', () => {
    const circle: unknown[] = [];
    circle.push(circle, circle, circle);
    expect(JSON.stringify(redact(circle))).toContain('[deep]');

    const wide = redact(Array.from({ length: 1_000_000 }, () => 'a'));
    expect(wide).toHaveLength(MAX_LOGGED_VALUES);
    expect(JSON.stringify(wide)).toMatch(/"\[cut\]"\]$/);

    const fields = redact(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`a${n}`, n])));
    expect(isJsonObject(fields) && Object.keys(fields).length).toBe(MAX_LOGGED_VALUES);
  });

  it('is json, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withTypedArray: true }),
        (value) => {
          expect(() => JSON.stringify(redact(value))).not.toThrow();
        },
      ),
    );
  });
});

describe('long text', () => {
  it('is cut, and says so', () => {
    const text = redactText('word '.repeat(10_000));
    expect(text.length).toBeLessThan(MAX_LOGGED_TEXT + 10);
    expect(text).toMatch(/word … \(cut\)$/);
  });

  it('is cut before a secret rather than in it', () => {
    const head = 'a '.repeat(MAX_LOGGED_TEXT / 2 - 4);
    expect(redactText(`${head}sk-${'x9Y8'.repeat(9)}`)).toBe(`${head}… (cut)`);
    expect(redactText(`${head}"ab://u:x9Y8x9Y8@host`)).toBe(`${head}"… (cut)`);
  });

  it('of a megabyte without a break is not shown', () => {
    expect(redactText('a'.repeat(1_000_000))).toBe('… (cut)');
  });
});
