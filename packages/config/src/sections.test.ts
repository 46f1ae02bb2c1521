import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { unboundedKeys } from './key-type.ts';
import { type Config, type KeyOf, type Sections, declareKeys } from './sections.ts';
import { SECTIONS } from './sample.fixture.ts';

function declare(shape: z.core.$ZodShape): () => unknown {
  return () => declareKeys({ sample: z.strictObject(shape) });
}

describe('a section', () => {
  it('gives each key one variable', () => {
    const declarations = declareKeys(SECTIONS);
    expect(declarations.get('journal.segment_bytes')?.environmentName).toBe(
      'PALYRA_JOURNAL_SEGMENT_BYTES',
    );
  });

  it('keeps marks that stand behind a wrapper', () => {
    expect(declareKeys(SECTIONS).get('transport.password')?.isSecret).toBe(true);
  });

  it('gives the config its type, frozen all the way down', () => {
    type Sample = Config<typeof SECTIONS>;
    expectTypeOf<Sample['journal']['segment_bytes']>().toEqualTypeOf<number>();
    expectTypeOf<Sample['transport']['origins']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Sample['transport']['egress']>().toEqualTypeOf<'closed' | 'listed' | 'open'>();
    expectTypeOf<Sample['deployment']['profile']>().toEqualTypeOf<
      'local' | 'single-vm' | 'worker-enabled'
    >();
    expectTypeOf<'journal.keep_days'>().toExtend<KeyOf<typeof SECTIONS>>();
    expectTypeOf<'journal.nothing'>().not.toExtend<KeyOf<typeof SECTIONS>>();
  });

  it.each([
    ['without a description', declare({ key: z.int().default(1) })],
    ['without a default', declare({ key: z.int().describe('a number') })],
    ['with a name that is not snake_case', declare({ someKey: z.int().default(1).describe('x') })],
    [
      'with an unheard-of narrowing',
      declare({ key: z.int().default(1).describe('x').meta({ narrows: 'sideways' }) }),
    ],
    [
      'with a mark that is not a boolean',
      declare({ key: z.int().default(1).describe('x').meta({ secret: 'yes' }) }),
    ],
  ])('is refused %s of a key', (_, act) => {
    expect(act).toThrow(TypeError);
  });

  it('is refused when it takes unknown keys or has a rule over several', () => {
    const shape = { key: z.int().default(1).describe('x') };
    expect(() => declareKeys({ sample: z.object(shape) })).toThrow('must be strict');
    const ruled = z.strictObject(shape).refine(() => true);
    expect(() => declareKeys({ sample: ruled })).toThrow('make it a contradiction');
  });

  it('is refused when two keys would share a variable', () => {
    const key = z.int().default(1).describe('x');
    const sections: Sections = {
      a: z.strictObject({ b_c: key }),
      a_b: z.strictObject({ c: key }),
    };
    expect(() => declareKeys(sections)).toThrow('PALYRA_A_B_C');
  });

  it('is told which of its keys have no bounds', () => {
    expect(unboundedKeys(SECTIONS)).toEqual([]);
    const loose = z.strictObject({
      count: z.int().default(1).describe('x'),
      least: z.int().min(1).default(1).describe('x'),
      text: z.string().default('').describe('x'),
      list: z.array(z.string()).max(3).default([]).describe('x'),
    });
    expect(unboundedKeys({ loose })).toEqual([
      'loose.count',
      'loose.least',
      'loose.text',
      'loose.list',
    ]);
  });
});
