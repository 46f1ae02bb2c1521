import { describe, expect, it } from 'vitest';
import { programNames } from './program-names.ts';

describe('what a command might start', () => {
  it.each([
    [['palyra']],
    [['Palyra']],
    [['/usr/local/bin/palyra', 'status']],
    [['env', '/usr/bin/palyra', 'policy', 'apply']],
    [['env', '-S', 'palyra policy apply']],
    [['env', 'A=b', 'HOME=/x palyra']],
    [['bash', '-c', 'palyra policy apply']],
    [['bash', '-c', 'true;palyra x']],
    [['bash', '-c', 'echo $(palyra x)']],
    [['bash', '-c', 'echo `palyra x`']],
    [['bash', '-c', "sh -c 'palyra'"]],
    [['bash', '-c', 'a|palyra']],
    [['bash', '-c', 'a&&palyra']],
    [['node', '-e', 'spawn("palyra",["x"])']],
    [['node', '/usr/lib/palyra/palyra.js']],
    [['node', '/usr/lib/palyra/palyra.cjs', 'policy']],
    [['npx', 'palyra@latest']],
    [['npx', '--package=palyra']],
    [['nsenter', 'palyra']],
    [['chrt', '0', 'palyra']],
    [['cmd', '/c', 'C:\\bin\\PALYRA.EXE']],
    [['bash', '-c', 'pal\u200Byra']],
    [['ｐalyra']],
  ])('of %j is palyra, among others', (words) => {
    expect(programNames(words)).toContain('palyra');
  });

  it.each([
    [['palyra-notes']],
    [['vim', 'docs/palyra/readme.md']],
    [['vim', 'palyra.toml']],
    [['git', 'diff', 'packages/palyrax']],
    [['node', 'palyra.config.js']],
    [['npm', 'install', '@palyra/client']],
    [[]],
  ])('of %j is not palyra', (words) => {
    expect(programNames(words)).not.toContain('palyra');
  });

  it('is each name once, in order', () => {
    expect(programNames(['/bin/sh', '-c', 'b a; B'])).toEqual(['-c', 'a', 'b', 'sh']);
  });
});
