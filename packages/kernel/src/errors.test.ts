import { ErrorCode as WireErrorCode } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ERRORS, PalyraError, isErrorCode } from './errors.ts';

const WIRE_NAMES = Object.keys(WireErrorCode).filter((name) => name !== 'UNSPECIFIED');

describe('the catalogue of errors', () => {
  it('has exactly the codes of the wire', () => {
    expect(Object.keys(ERRORS).toSorted()).toEqual(WIRE_NAMES.toSorted());
  });

  it.each(Object.entries(ERRORS))('%s says what happened and the way out', (_code, entry) => {
    for (const text of [entry.meaning, entry.help]) {
      expect(text).toMatch(/^[a-z`]/);
      expect(text).not.toMatch(/[.!]$/);
      expect(text).not.toMatch(/[\r\n]/);
      expect(text.length).toBeGreaterThan(10);
      expect(text.split('`').length % 2).toBe(1);
    }
  });

  it('knows its codes, and nothing that objects inherit', () => {
    expect(isErrorCode('NOT_FOUND')).toBe(true);
    expect(isErrorCode('UNSPECIFIED')).toBe(false);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('__proto__')).toBe(false);
  });
});

describe('an error', () => {
  it('brings the wire status and the help of its code', () => {
    const error = new PalyraError('NOT_FOUND', 'no run `x`');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'PalyraError', code: 'NOT_FOUND', message: 'no run `x`' });
    expect(error.wire).toBe('not_found');
    expect(error.help).toBe(ERRORS.NOT_FOUND.help);
  });

  it('may know a better way out', () => {
    expect(new PalyraError('NOT_FOUND', 'no run', { help: 'look there' }).help).toBe('look there');
  });

  it('passes a seam unchanged', () => {
    const error = new PalyraError('CANCELLED', 'taken back');
    expect(PalyraError.from(error)).toBe(error);
  });

  it.each([[new Error('secret detail')], ['secret detail'], [undefined], [{ code: 'NOT_FOUND' }]])(
    'that nobody expected keeps its details to itself at a seam',
    (reason) => {
      const error = PalyraError.from(reason);
      expect(error.code).toBe('UNEXPECTED');
      expect(error.message).toBe('unexpected failure');
      expect(error.cause).toBe(reason);
    },
  );
});
