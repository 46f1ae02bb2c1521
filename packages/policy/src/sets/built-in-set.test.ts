import { describe, expect, it } from 'vitest';
import { MODES } from '../model.ts';
import { builtInFiles } from './built-in.ts';
import { builtInSet } from './built-in-set.ts';
import { compile, compileAfresh } from './compile.ts';

describe('the built-in set, which is put together without Cedar', () => {
  it.each([...MODES, 'closed'] as const)('is what Cedar makes of the files in mode %s', (mode) => {
    const afresh = compileAfresh(builtInFiles(mode), { mode });
    expect(builtInSet(mode)).toEqual(afresh);
    expect(compile(builtInFiles(mode), { mode })).toEqual(afresh);
    expect(builtInSet(mode)?.kind).toBe('compiled');
  });

  it('holds the rules of its own mode and of no other', () => {
    const modes = builtInFiles('auto').filter(({ name }) => name.startsWith('modes/'));
    expect(modes.map(({ name }) => name)).toEqual(['modes/auto.cedar']);
  });
});
