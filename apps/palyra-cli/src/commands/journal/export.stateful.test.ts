import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import { homeWith, startDaemon } from '../../../testing/daemon.ts';

describe('palyra journal export -o FILE', () => {
  it('says that no gateway answers any more, and leaves no file', async () => {
    await using home = await homeWith('');
    const environment = { PALYRA_HOME: home.path };
    const file = join(home.path, 'export.jsonl');
    {
      await using _daemon = await startDaemon(home.path);
      expect(await cli(['journal', 'export', '-o', file], { environment })).toMatchObject({
        code: 0,
      });
    }
    const other = join(home.path, 'other.jsonl');
    const ended = await cli(['journal', 'export', '-o', other], { environment });
    expect(ended.stderr).toMatch(/^error DAEMON_UNREACHABLE: no gateway answers on /);
    expect(ended.code).toBe(4);
    expect([existsSync(file), existsSync(other)]).toEqual([true, false]);
  });
});
