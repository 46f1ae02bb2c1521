import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EchoGuard } from './echo-guard.ts';

const SECRET = 'aab-aab-aabc';

function passIn(text: string, size: number): string {
  const guard = new EchoGuard([SECRET]);
  const passed: Buffer[] = [];
  for (let at = 0; at < text.length; at += size) {
    passed.push(guard.pass(Buffer.from(text.slice(at, at + size))));
  }
  return Buffer.concat([...passed, guard.flush()]).toString();
}

describe('what a host repeats', () => {
  it('passes unchanged when it holds no secret, however it is cut up', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'c'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 8 }), (said, size) => {
        if (said.includes(SECRET)) expect(() => passIn(said, size)).toThrow('repeats a secret');
        else expect(passIn(said, size)).toBe(said);
      }),
    );
  });

  it.each([1, 2, 3, 5, 100])('is cut off before a secret in pieces of %i is whole', (size) => {
    expect(() => passIn(`you said aab-${SECRET}!`, size)).toThrow('repeats a secret');
  });

  it('is not held back for long: what cannot be a secret goes on at once', () => {
    const guard = new EchoGuard([SECRET]);
    expect(guard.pass(Buffer.from('data: x\n\n')).toString()).toBe('data: x\n\n');
  });
});
