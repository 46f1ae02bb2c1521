import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { builtInFiles } from './built-in.ts';
import { formatPolicy } from './format-policy.ts';

describe('the layout of rules', () => {
  it('is one, and comments stay', () => {
    const formatted = formatPolicy(
      file('// why\n@id("a")@says("b")permit(principal,action,resource)when{1==1};// end'),
    );
    expect(formatted).toEqual({
      kind: 'formatted',
      text: '// why\n@id("a")\n@says("b")\npermit (principal, action, resource)\nwhen { 1 == 1 }; // end\n',
    });
  });

  it.each(builtInFiles('auto').map((each) => [each.name, each] as const))(
    'is that of %s already',
    (_name, built) => {
      expect(formatPolicy(built)).toEqual({ kind: 'formatted', text: built.text });
    },
  );

  it('is not given to a file with mistakes, which are named', () => {
    expect(formatPolicy(file('\npermit (x);'))).toMatchObject({
      kind: 'refused',
      problems: [{ line: 2, column: 9 }],
    });
    expect(formatPolicy(file(`permit (${'('.repeat(9999)}`)).kind).toBe('refused');
  });
});

function file(text: string): PolicyFile {
  return { layer: 'operator', name: 'x.cedar', text };
}
