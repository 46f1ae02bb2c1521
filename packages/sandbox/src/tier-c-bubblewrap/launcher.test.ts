import { describe, expect, it } from 'vitest';
import { launcherScript } from './launcher.ts';

const LAUNCH = {
  limits: ['ulimit -n 64'],
  directory: "/workspace/it's",
  environment: { B: '$(b)', A: "'a'\n" },
  program: '/usr/bin/git',
  words: ['git', '-c', "x='y'; rm -rf /", ''],
};

describe('the line for the shell inside', () => {
  it('has every word from outside in quotes, and the same order every time', () => {
    expect(launcherScript(LAUNCH)).toBe(
      String.raw`{ printf B >&6 && ulimit -n 64 && cd -- '/workspace/it'\''s' && export A=''\''a'\''
' && export B='$(b)' && exec '/.start' '/usr/bin/git' 'git' '-c' 'x='\''y'\''; rm -rf /' '' <&3 3<&-; } || exit 126
`,
    );
  });

  it('takes no word with a NUL, which would end it early', () => {
    expect(() => launcherScript({ ...LAUNCH, words: ['a\0b'] })).toThrow('a word holds a NUL');
  });
});
