import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cage, KINDS } from './cage.fixture.ts';

const has = (name: string) => existsSync(join('/usr/bin', name));

/** What is not installed cannot be tried: the name of the test then says so. */
const TOOLS: readonly (readonly [string, string, string])[] = [
  [
    'git',
    'git init -q sub && cd sub && git config user.email a@b.c && git config user.name n && echo x > f && git add f && git commit -qm first && git log --format=%s',
    'first\n',
  ],
  [
    'node',
    "node -e \"const {Worker} = require('worker_threads'); new Worker('require(\\\"worker_threads\\\").parentPort.postMessage(1)', {eval: true}).on('message', () => console.log(require('child_process').execSync('echo child').toString().trim()))\"",
    'child\n',
  ],
  [
    'python3',
    'python3 -c "import multiprocessing as m; p = m.Pool(2); print(p.map(abs, [-1, -2]))"',
    '[1, 2]\n',
  ],
  [
    'python3',
    'python3 -c "import locale, sys; print(locale.getpreferredencoding(), sys.getfilesystemencoding(), len(\'žluť\'))"',
    'UTF-8 utf-8 4\n',
  ],
  [
    'wc',
    'printf žluť > ž && wc -m < ž && ls ž && echo b B ž a | tr " " "\\n" | sort | tr -d "\\n"',
    '4\nž\nBabž',
  ],
  [
    'gcc',
    'echo "#include <stdio.h>\nint main() { puts(\\"built\\"); return 0; }" > a.c && gcc -O2 -o a.out a.c && ./a.out',
    'built\n',
  ],
  [
    'make',
    'printf "all: one two\n\t@echo all\none two:\n\t@echo part\n" > Makefile && make -s -j4',
    'part\npart\nall\n',
  ],
  [
    'npm',
    'mkdir p && cd p && npm init -y >/dev/null && npm pkg set scripts.hi="echo hi" && npm run -s hi',
    'hi\n',
  ],
  ['perl', 'perl -MPOSIX -e "print floor(1.5)"', '1'],
  ['bash', 'bash -c "cat <(echo sub) | tee >(cat >/dev/null)"', 'sub\n'],
  [
    'tar',
    'mkdir t && echo x > t/f && tar czf t.tgz t && rm -r t && tar xzf t.tgz && cat t/f',
    'x\n',
  ],
  [
    'curl',
    'curl -sS --max-time 2 http://127.0.0.1:9/ 2>/dev/null; test $? -eq 7 && echo refused',
    'refused\n',
  ],
];

describe.each(KINDS)('with everything at its default, in a sandbox of %s', (kind) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind });
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  const installed = TOOLS.filter(([name]) => has(name));
  it.each(installed)('%s works', async (_, script, expected) => {
    const ended = await cage.sh(script);
    expect(ended).toMatchObject({ kind: 'exited', code: 0, stdout: expected });
  });

  const missing = TOOLS.filter(([name]) => !has(name)).map(([name]) => name);
  it.runIf(missing.length > 0)(`not tried, because not installed: ${missing.join(', ')}`, () => {
    expect(missing.every((name) => !has(name))).toBe(true);
  });

  it.runIf(has('git'))('git does not take the masks of missing names for new files', async () => {
    const ended = await cage.sh(
      'mkdir r && cd r && git init -q && touch seen && git status --short',
    );
    expect(ended).toMatchObject({ code: 0, stdout: '?? seen\n' });
    const top = await cage.sh(
      'git init -q /tmp/g && git --git-dir=/tmp/g/.git --work-tree=. status --short',
    );
    expect(top.stdout).not.toContain('.envrc');
  });

  it('with the network of the machine, its names can be looked up and its loopback reached', async () => {
    const ended = await cage.sh(
      'cat /etc/nsswitch.conf; ls /proc/net/dev; test -e /etc/resolv.conf && echo resolver',
      {
        egress: { mode: 'none' },
      },
    );
    expect(ended.posture.namespaces).not.toContain('net');
    expect(ended.stdout).toContain('hosts: files dns');
    expect(ended.stdout.includes('resolver')).toBe(existsSync('/etc/resolv.conf'));
    expect(readFileSync('/proc/net/dev', 'utf8')).toContain('lo:');
  });

  it('no host can be named where nobody handed in a way out, and that is said', async () => {
    const ended = await cage.run({
      egress: { mode: 'strict', hosts: ['example.com'], secrets: [] },
    });
    expect(ended).toMatchObject({ kind: 'refused', fault: { kind: 'EgressDenied' } });
  });
});
