import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietLog } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSupervisor } from './supervisor.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palyra-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the service manager', () => {
  it('is told through its own program, which gets the address and nothing else', async () => {
    const [program, told] = [join(directory, 'notify'), join(directory, 'told')];
    await writeFile(program, `#!/bin/sh\n{ echo "$@"; /usr/bin/env; } > '${told}'\n`);
    await chmod(program, 0o700);
    const supervisor = createSupervisor({ socket: '/run/notify', log: quietLog(), program });
    await supervisor.tell('READY=1');
    const lines = (await readFile(told, 'utf8')).trim().split('\n');
    const ours = lines.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line));
    expect(ours).toEqual(['READY=1', 'NOTIFY_SOCKET=/run/notify']);
  });

  it('that cannot be told is a warning, not a failure', async () => {
    const log = quietLog();
    const program = join(directory, 'missing');
    await createSupervisor({ socket: '/run/notify', log, program }).tell('STOPPING=1');
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { state: 'STOPPING=1' } }]);
  });

  it('is left alone when it did not ask', async () => {
    const log = quietLog();
    await createSupervisor({ socket: undefined, log, program: '/nowhere' }).tell('READY=1');
    expect(log.lines).toEqual([]);
  });
});
