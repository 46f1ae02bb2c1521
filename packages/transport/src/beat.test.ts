import { PalyraError } from '@palyra/kernel';
import { quietLog } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { createBeat } from './beat.ts';

interface State {
  revision: number;
  isDue: boolean;
  fault: Error | undefined;
}

function setUp() {
  const log = quietLog();
  const done: string[] = [];
  const state: State = { revision: 1, isDue: false, fault: undefined };
  const beat = createBeat({
    log,
    watch: { isDue: () => state.isDue, sweep: async () => void done.push('sweep') },
    credentials: {
      async refresh() {
        done.push('refresh');
        if (state.fault !== undefined) throw state.fault;
        return true;
      },
    },
    revision: () => state.revision,
    swap: () => void done.push('swap'),
  });
  return { beat, state, done, log };
}

describe('a beat', () => {
  it('does nothing while nothing has changed', async () => {
    const { beat, done } = setUp();
    await beat();
    expect(done).toEqual([]);
  });

  it('looks at everybody, and swaps certificates, once after a change', async () => {
    const { beat, state, done } = setUp();
    state.revision = 2;
    await beat();
    await beat();
    expect(done).toEqual(['sweep', 'refresh', 'swap']);
  });

  it('looks at everybody, and at nothing else, when a certificate has run out', async () => {
    const { beat, state, done } = setUp();
    state.isDue = true;
    await beat();
    expect(done).toEqual(['sweep']);
  });

  it('that fails ends nothing, says so once for each code, and is made up for by the next', async () => {
    const { beat, state, done, log } = setUp();
    state.revision = 2;
    state.fault = new PalyraError('JOURNAL_UNWRITABLE', 'the disk is full');
    await beat();
    await beat();
    state.fault = new Error('the key is gone');
    await beat();
    expect(log.lines.map(({ level }) => level)).toEqual(['error', 'error']);
    state.fault = undefined;
    done.length = 0;
    await beat();
    await beat();
    expect(done).toEqual(['refresh', 'swap']);
    state.revision = 3;
    state.fault = new Error('the key is gone again');
    await beat();
    expect(log.lines).toHaveLength(3);
  });
});
