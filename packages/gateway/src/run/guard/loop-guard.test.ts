import { StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { LoopGuard } from './loop-guard.ts';
import type { SeenCall } from './seen-call.ts';

const SETTINGS = { max_repeats: 5, max_denials: 8 };
const poll = (result = 'pending'): SeenCall => ({
  call: 'process.run status',
  result,
  isDenied: false,
  isChange: false,
});
const other = (call: string): SeenCall => ({ ...poll(`of ${call}`), call });
const change: SeenCall = { ...other('fs.write'), isChange: true };
const denied = (call: string): SeenCall => ({ ...other(call), isDenied: true });

function verdicts(calls: readonly SeenCall[], past: readonly SeenCall[] = []): readonly string[] {
  const guard = new LoopGuard(SETTINGS, past);
  return calls.flatMap((call) => guard.seeTurn([call]).map(({ kind }) => kind));
}

const times = <Item>(count: number, item: Item): readonly Item[] =>
  Array.from({ length: count }, () => item);

describe('the same call with the same result', () => {
  it('is warned about at the third time and stopped at the fifth', () => {
    expect(verdicts(times(5, poll()))).toEqual(['fine', 'fine', 'warned', 'warned', 'stopped']);
  });

  it('says what it is that stops the run', () => {
    const guard = new LoopGuard(SETTINGS, times(4, poll()));
    expect(guard.seeTurn([poll()])[0]).toMatchObject({
      kind: 'stopped',
      limit: { code: 'RUN_LIMIT_REACHED', stopReason: StopReason.REPEATED_CALL },
    });
  });

  it('counts from the start when the result is another: something moves', () => {
    const moving = ['1 %', '2 %', '3 %', '4 %', '5 %', '6 %'].map((result) => poll(result));
    expect(new Set(verdicts(moving))).toEqual(new Set(['fine']));
  });

  it('counts with others in between too, for twice as long', () => {
    const pairs = times(9, [poll(), other('a')]).flat();
    expect(verdicts(pairs).indexOf('warned')).toBe(10);
    expect(verdicts([...pairs, poll()]).at(-1)).toBe('stopped');
  });

  it('after a file was changed is another matter: test, mend, test', () => {
    const work = times(20, [poll('3 tests fail'), change]).flat();
    expect(
      verdicts(work.map((call, at) => (call.isChange ? { ...call, call: `${at}` } : call))),
    ).toEqual(times(40, 'fine'));
  });

  it('within one turn is warned about before the run is stopped', () => {
    const guard = new LoopGuard(SETTINGS, []);
    const kinds = guard.seeTurn(times(9, poll())).map(({ kind }) => kind);
    expect(kinds).not.toContain('stopped');
    expect(kinds.at(-1)).toBe('warned');
    expect(guard.seeTurn([poll()])[0]?.kind).toBe('stopped');
  });

  it('counts on in a run that goes on after a crash', () => {
    expect(verdicts([poll()], times(4, poll()))).toEqual(['stopped']);
  });
});

describe('denials in a row', () => {
  const row = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(denied);

  it('are warned about from the fifth on and stop the run at the eighth', () => {
    expect(verdicts(row)).toEqual([...times(4, 'fine'), ...times(3, 'warned'), 'stopped']);
    const guard = new LoopGuard(SETTINGS, row.slice(1));
    expect(guard.seeTurn([denied('h')])[0]).toMatchObject({
      limit: { stopReason: StopReason.DENIALS },
    });
  });

  it('are over with the first call that is let through', () => {
    expect(verdicts([...row.slice(1), other('fs.read'), ...row.slice(1)]).at(-1)).toBe('warned');
    expect(verdicts([...row.slice(1), other('fs.read'), ...row.slice(1)])).not.toContain('stopped');
  });
});
