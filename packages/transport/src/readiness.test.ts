import { describe, expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

describe('readiness', () => {
  it('begins with starting and becomes ready once', () => {
    const readiness = createReadiness();
    expect(readiness.phase).toBe('starting');
    readiness.markReady();
    expect(readiness.phase).toBe('ready');
  });

  it('never comes back from draining', () => {
    const readiness = createReadiness();
    readiness.markDraining();
    readiness.markReady();
    expect(readiness.phase).toBe('draining');
  });

  it('stays failed, for the first reason, until it drains', () => {
    const readiness = createReadiness();
    readiness.markFailed('JOURNAL_UNWRITABLE');
    readiness.markFailed('UNEXPECTED');
    readiness.markReady();
    expect([readiness.phase, readiness.fault]).toEqual(['failed', 'JOURNAL_UNWRITABLE']);
    readiness.markDraining();
    readiness.markFailed('UNEXPECTED');
    expect([readiness.phase, readiness.fault]).toEqual(['draining', 'JOURNAL_UNWRITABLE']);
  });
});
