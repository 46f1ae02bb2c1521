import { create } from '@bufbuild/protobuf';
import { HoldingRunSchema, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printHoldingRun, waysOut } from './holding-run.ts';

const held = (status: RunStatus) => create(HoldingRunSchema, { runId: 'RUN', status, segments: 3 });

describe('a run that holds segments', () => {
  it.each([
    [
      RunStatus.INTERRUPTED,
      'was interrupted',
      ['palyra runs resume RUN', 'palyra runs cancel RUN'],
    ],
    [RunStatus.ACTIVE, 'goes on', ['palyra runs cancel RUN']],
    [RunStatus.QUEUED, 'waits for', ['palyra runs cancel RUN']],
  ])('of status %s is named with what lets them go', (status, words, ways) => {
    const { terminal, stdout } = recordedTerminal();
    printHoldingRun(terminal, held(status));
    expect(stdout()).toContain(`stays  3 sealed segments, for a run that ${words}`);
    for (const way of ways) expect(stdout()).toContain(`  ${way}\n`);
    expect(waysOut(held(status))).toEqual(ways);
  });
});
