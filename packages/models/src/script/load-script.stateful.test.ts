import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadScript } from './load-script.ts';

it('a named pipe that nobody writes to is refused instead of waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palyra-script-'));
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  await expect(loadScript(pipe)).rejects.toThrow('is not a regular file');
  rmSync(folder, { recursive: true });
});
