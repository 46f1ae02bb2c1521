import { create } from '@bufbuild/protobuf';
import { RunSchema, RunStatus, StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printRun } from './run-fields.ts';

describe('one run', () => {
  it('says what stopped it and what it used', () => {
    const { terminal, stdout } = recordedTerminal();
    const stopReason = StopReason.MODEL_TURNS;
    const run = create(RunSchema, { runId: 'RUN', status: RunStatus.FAILED, stopReason });
    printRun(terminal, run, { modelTurns: 3, tokens: 1200n, costMicroUsd: undefined });
    expect(stdout()).toMatch(/reason +model turns\n/);
    expect(stdout()).toMatch(/used +3 model turns, 1200 tokens\n/);
    expect(stdout()).not.toContain('resume');
  });

  it('says how to take it up again when it was interrupted', () => {
    const { terminal, stdout } = recordedTerminal();
    printRun(terminal, create(RunSchema, { runId: 'RUN', status: RunStatus.INTERRUPTED }));
    expect(stdout()).toMatch(/next +palyra runs resume RUN\n/);
  });
});
