import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { testAuthorities } from './authority.fixture.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'later-start.fixture.ts');

describe('a start that is not the first', () => {
  it('loads nothing that makes certificates', async () => {
    await using home = await tempHome();
    const { authorities, records } = await testAuthorities(home);
    const [credential] = await authorities.serverCredentials();
    const [row] = await records.list('authorities', { limit: 1 });
    const record = JSON.stringify(row?.body);
    const told = await start(home.path, ['--act', 'start', '--record', record]);
    expect(JSON.parse(told)).toEqual({ serverName: credential?.serverName, seen: [] });
    // What is looked for would have been seen.
    const control = await start(home.path, ['--act', 'start and read', '--record', record]);
    expect(control).toContain('"seen":["reflect-metadata","@peculiar/x509"');
  });
});

async function start(home: string, rest: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM, '--home', home, ...rest]);
  return stdout;
}
