import { readFileSync } from 'node:fs';
import { verifies } from '@palyra/testkit';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Clearance } from './3-approval.ts';
import * as approval from './3-approval.ts';
import type { execute } from './4-sandbox.ts';

describe('a clearance', () => {
  it(
    'cannot be written down by hand: no object but an issued one has its type',
    verifies('pipeline:clearance-only-from-approval'),
    () => {
      const lookalike = { proposal: {} };
      expectTypeOf(lookalike).not.toExtend<Clearance>();
      expectTypeOf<{ readonly proposal: Clearance['proposal'] }>().not.toExtend<Clearance>();
      expectTypeOf<object>().not.toExtend<Clearance>();
    },
  );

  it('is what execution demands', () => {
    expectTypeOf<Parameters<typeof execute>[0]>().toEqualTypeOf<Clearance>();
  });

  it('is not handed out as a class that others could construct', () => {
    expect(Object.keys(approval)).toEqual(['approve']);
  });

  it('is made in one line of one file', () => {
    const source = readFileSync(new URL('./3-approval.ts', import.meta.url), 'utf8');
    expect(source.match(/new IssuedClearance\(/g)).toHaveLength(1);
  });
});
