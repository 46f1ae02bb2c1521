import { ERRORS, isErrorCode } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { EXITS, exitOfCode, exitOfError, renderExitCodes } from './exit-codes.ts';

describe('exit codes', () => {
  it('never use a number twice', () => {
    const codes = Object.values(EXITS).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('keep the numbers that scripts rely on', () => {
    expect(EXITS.ok.code).toBe(0);
    expect(EXITS.failure.code).toBe(1);
    expect(EXITS.usage.code).toBe(2);
    expect(EXITS.denied.code).toBe(3);
    expect(EXITS.unreachable.code).toBe(4);
    expect(EXITS.notFound.code).toBe(5);
    expect(EXITS.config.code).toBe(6);
    expect(EXITS.journalBroken.code).toBe(7);
    expect(EXITS.busy.code).toBe(8);
    expect(EXITS.interrupted.code).toBe(9);
    expect(EXITS.notAllowed.code).toBe(10);
    expect(EXITS.wrongRuntime.code).toBe(78);
    expect(EXITS.cancelled.code).toBe(130);
  });

  it('never let a fault end with success', () => {
    const codes = Object.keys(ERRORS).filter(isErrorCode);
    expect(codes.filter((code) => exitOfError(code) === 'ok')).toEqual([]);
  });

  it('tell a folder that no run may work in from a run with a refused call', () => {
    expect(exitOfError('SANDBOX_SCOPE_DENIED')).toBe('notAllowed');
  });

  it('are read back from a child, and an unknown one is a failure', () => {
    expect(exitOfCode(0)).toBe('ok');
    expect(exitOfCode(6)).toBe('config');
    expect(exitOfCode(77)).toBe('failure');
    expect(exitOfCode(null)).toBe('failure');
  });

  it('are documented one by one', () => {
    const table = renderExitCodes();
    for (const { code, meaning } of Object.values(EXITS)) {
      expect(table).toContain(`| ${code} | ${meaning} |`);
    }
  });
});
