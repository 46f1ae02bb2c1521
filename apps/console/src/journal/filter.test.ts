import { describe, expect, it } from 'vitest';
import {
  askedBy,
  filterKey,
  isEmptyFilter,
  kindsIn,
  readFilter,
  withField,
  withKind,
  withoutKind,
} from './filter.ts';

describe('the filter in the address', () => {
  it('is read from it, without what is no filter and what is empty', () => {
    const search = { run: '01J', text: ' hello ', actor: '', page: '3', session: { a: 1 } };
    expect(readFilter(search)).toEqual({ run: '01J', text: 'hello' });
  });

  it('takes digits that the router has read as a number for the text they are', () => {
    expect(readFilter({ text: 404 })).toEqual({ text: '404' });
  });

  it('has one key for one meaning', () => {
    expect(filterKey({ text: 'a', run: 'b' })).toBe(filterKey({ run: 'b', text: 'a' }));
    expect(filterKey({ text: 'a' })).not.toBe(filterKey({ actor: 'a' }));
  });

  it('gains and loses kinds, each of which stands in it once', () => {
    const two = withKind(withKind(withKind({}, 'tool.'), 'run.ended'), 'tool.');
    expect(kindsIn(two)).toEqual(['tool.', 'run.ended']);
    expect(withoutKind(two, 'tool.')).toEqual({ kind: 'run.ended' });
    expect(isEmptyFilter(withoutKind(withoutKind(two, 'tool.'), 'run.ended'))).toBe(true);
  });

  it('loses a field that is emptied', () => {
    expect(withField({ text: 'a', run: 'b' }, 'text', ' ')).toEqual({ run: 'b' });
  });

  it('is asked for in the words of the protocol', () => {
    const filter = { kind: 'tool.,run.ended', from: '2026-01-01T00:00:00Z', text: 'x' };
    expect(askedBy(filter)).toEqual({
      kinds: ['tool.', 'run.ended'],
      actor: '',
      runId: '',
      sessionId: '',
      since: '2026-01-01T00:00:00Z',
      until: '',
      text: 'x',
    });
  });
});
