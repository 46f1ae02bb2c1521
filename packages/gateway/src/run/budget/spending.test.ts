import { create } from '@bufbuild/protobuf';
import { createIds, systemClock } from '@palyra/kernel';
import {
  ApprovalNoteSchema,
  ApprovalStatus,
  ModelMessageSchema,
  RunCompactedSchema,
  RunInterruptedSchema,
  RunResumedSchema,
  RunStartedSchema,
  ToolProposalSchema,
  ToolResultSchema,
  ToolStartedSchema,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ACTORS, type Note, draftOf } from '../run-note.ts';
import { NOTHING_SPENT, spendingOf } from './spending.ts';

const ids = createIds(systemClock());
const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
const actor = ACTORS.gateway;
const START = Date.parse('2030-01-01T00:00:00.000Z');

/** Each with the second at which it was written. */
function told(...notes: readonly (readonly [number, Note])[]) {
  return notes.map(([second, note]) => ({
    ...draftOf(run, note),
    time: new Date(START + second * 1_000).toISOString(),
  }));
}

const started: Note = { kind: 'run.started', actor, message: create(RunStartedSchema) };
const interrupted: Note = { kind: 'run.interrupted', actor, message: create(RunInterruptedSchema) };
const resumed: Note = { kind: 'run.resumed', actor, message: create(RunResumedSchema) };
const proposed = (callId: string): Note => ({
  kind: 'tool.proposed',
  actor,
  message: create(ToolProposalSchema, { callId }),
});
const begun = (callId: string): Note => ({
  kind: 'tool.started',
  actor,
  message: create(ToolStartedSchema, { callId }),
});
const finished = (callId: string): Note => ({
  kind: 'tool.finished',
  actor,
  message: create(ToolResultSchema, { callId }),
});
const asked = (callId: string): Note => ({
  kind: 'approval.asked',
  actor,
  message: create(ApprovalNoteSchema, { callId, status: ApprovalStatus.PENDING }),
});
const answered = (callId: string): Note => ({
  kind: 'approval.used',
  actor,
  message: create(ApprovalNoteSchema, { callId, status: ApprovalStatus.GRANTED }),
});
const usage = { inputTokens: 90n, outputTokens: 10n, cachedTokens: 80n, costMicroUsd: 5n };

describe('what the journal says that a run has spent', () => {
  it('is nothing for a run that has not begun', () => {
    expect(spendingOf([])).toEqual(NOTHING_SPENT);
  });

  it('is every turn and what each took, those that told a conversation in short included', () => {
    const message = create(ModelMessageSchema, { text: 'on', usage });
    const compacted = create(RunCompactedSchema, { usage: { ...usage, costMicroUsd: 7n } });
    expect(
      spendingOf(
        told(
          [0, started],
          [0, { kind: 'model.message', actor, message }],
          [0, { kind: 'run.compacted', actor, message: compacted }],
          [0, { kind: 'model.message', actor, message: create(ModelMessageSchema) }],
        ),
      ),
    ).toMatchObject({ modelTurns: 3, tokens: 200, costMicroUsd: 12, costliestTurn: 7 });
  });

  it('is what it came to when it was interrupted, where a turn was cut off without a word', () => {
    const message = create(ModelMessageSchema, { text: 'on', usage });
    const came = create(RunInterruptedSchema, {
      spent: { modelTurns: 2, tokens: 3_000n, costMicroUsd: 95n },
    });
    expect(
      spendingOf(
        told(
          [0, started],
          [0, { kind: 'model.message', actor, message }],
          [0, { kind: 'run.interrupted', actor, message: came }],
          [0, resumed],
          [0, { kind: 'model.message', actor, message }],
          [0, interrupted],
        ),
      ),
    ).toMatchObject({ modelTurns: 3, tokens: 3_100, costMicroUsd: 100, costliestTurn: 90 });
  });

  it('counts a call once that went through the stages again after a crash', () => {
    const entries = told(
      [0, started],
      [1, proposed('a')],
      [2, interrupted],
      [3, resumed],
      [4, proposed('a')],
      [5, proposed('b')],
    );
    expect(spendingOf(entries).calls).toEqual(new Set(['a', 'b']));
  });

  it('leaves out the time in which its only call waited for a person', () => {
    const entries = told(
      [0, started],
      [2, proposed('a')],
      [3, asked('a')],
      [4_000, answered('a')],
      [4_005, finished('a')],
    );
    expect(spendingOf(entries)).toMatchObject({ wallMs: 8_000, approvals: 1 });
  });

  it('leaves out the time between an answer and when it goes on, if nobody drove it', () => {
    const entries = told(
      [0, started],
      [2, proposed('a')],
      [3, asked('a')],
      [1_000, interrupted],
      [4_000, answered('a')],
      [9_000, resumed],
      [9_005, finished('a')],
    );
    expect(spendingOf(entries)).toMatchObject({ wallMs: 8_000 });
  });

  it('counts it when another call ran meanwhile', () => {
    const entries = told(
      [0, started],
      [0, proposed('a')],
      [0, proposed('b')],
      [0, begun('b')],
      [1, asked('a')],
      [11, finished('b')],
      [5_000, answered('a')],
      [5_001, finished('a')],
    );
    expect(spendingOf(entries).wallMs).toBe(12_000);
  });

  it('leaves it out also when another call waited for the one that waited', () => {
    const entries = told(
      [0, started],
      [0, proposed('a')],
      [0, proposed('b')],
      [1, asked('a')],
      [5_000, answered('a')],
      [5_000, begun('a')],
      [5_001, finished('a')],
      [5_001, begun('b')],
      [5_004, finished('b')],
    );
    expect(spendingOf(entries).wallMs).toBe(5_000);
  });

  it('leaves out the time in which nobody drove it', () => {
    const entries = told(
      [0, started],
      [10, proposed('a')],
      [9_000, interrupted],
      [10_000, resumed],
      [10_005, proposed('a')],
    );
    expect(spendingOf(entries).wallMs).toBe(15_000);
  });
});
