import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Den, KINDS } from './den.fixture.ts';

const has = (name: string) => existsSync(`/usr/bin/${name}`);

describe.each(KINDS)('tools under Landlock, made by %s', (kind) => {
  let den: Den;
  beforeAll(async () => {
    den = await Den.open(kind);
  });
  afterAll(() => den[Symbol.asyncDispose]());

  const outputOf = async (directory: string, script: string) => {
    den.putFolder(directory);
    const { stdout, stderr, code } = await den.sh(script, { directory });
    return code === 0 ? stdout : stderr;
  };

  it.runIf(has('git'))('git makes a repository and commits to it', async () => {
    const output = await outputOf(
      'git',
      'git init -q repo && cd repo && echo a > f && git add f && git -c user.name=n -c user.email=e commit -qm x && git log --format=%s && git status --short',
    );
    expect(output).toBe('x\n');
  });

  it.runIf(has('gcc') && has('make'))(
    'make builds what gcc compiles, and knows when it is done',
    async () => {
      den.putFolder('made');
      den.put('made/main.c', '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n');
      den.put('made/Makefile', 'main: main.c\n\t@gcc -o main main.c\n');
      const output = await outputOf('made', 'make && ./main && make -q && echo up to date');
      expect(output).toBe('built\nup to date\n');
    },
  );

  it.runIf(has('python3'))('python starts children and uses temporary files', async () => {
    const output = await outputOf(
      'python',
      `/usr/bin/python3 -c 'import subprocess, tempfile, shutil; f = tempfile.NamedTemporaryFile(); f.write(b"x"); f.flush(); shutil.copy2(f.name, "copied"); print(subprocess.check_output(["echo", "child"]).decode(), end="")'`,
    );
    expect(output).toBe('child\n');
  });

  it.runIf(has('node'))('node uses threads, children and files', async () => {
    const output = await outputOf(
      'node',
      `/usr/bin/node -e 'const { Worker } = require("worker_threads"); const fs = require("fs"); fs.writeFileSync("made", "x"); fs.chmodSync("made", 0o600); fs.utimesSync("made", 1, 2); new Worker("require(\\"worker_threads\\").parentPort.postMessage(1)", { eval: true }).on("message", () => console.log(require("child_process").execSync("echo child").toString().trim(), fs.statSync("made").mtimeMs))'`,
    );
    expect(output).toBe('child 2000\n');
  });

  it('shells use pipes, their streams by name, and what they write in place', async () => {
    const output = await outputOf(
      'shell',
      'cat <<X | tr a-z A-Z > /dev/stdout\nhere\nX\necho gone > /dev/null',
    );
    expect(output).toBe('HERE\n');
  });

  it.runIf(has('tar'))('tar keeps modes and times', async () => {
    const output = await outputOf(
      'tar',
      'mkdir d && echo x > d/f && chmod 640 d/f && touch -d @86400 d/f && tar cf a.tar d && rm -r d && tar xf a.tar && stat -c %a:%Y d/f',
    );
    expect(output).toBe('640:86400\n');
  });
});
