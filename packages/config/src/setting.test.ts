import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declareKeys } from './sections.ts';
import { judgeValue } from './setting.ts';

const address = z
  .string()
  .max(20)
  .refine((text) => text.includes(':'), 'has to be `HOST:PORT`')
  .default('')
  .describe('where devices connect');
const listen = declareKeys({ door: z.object({ listen: address }).strict() }).get('door.listen');
if (listen === undefined) throw new Error('the section has no such key');

describe('a value with a rule of its own', () => {
  it.each([
    ['breaks it alone', '127.0.0.1', 'has to be `HOST:PORT`, not text `127.0.0.1`'],
    ['is of another type', 3, 'takes text of at most 20 characters, not `3`'],
    [
      'is too long as well',
      'x'.repeat(21),
      'takes text of at most 20 characters, not text `xxxxxxxxxxxxxxxxxxxxx`',
    ],
  ])('is told the one thing that is wrong where it %s', (_what, value, reason) => {
    expect(judgeValue(listen, value)).toEqual({ kind: 'bad', reason });
  });
});
