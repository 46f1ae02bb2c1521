import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietLog } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { workspaceNotes } from './workspace-notes.ts';
import { onlyIn } from './workspaces.fixture.ts';

describe('what a workspace says of itself', () => {
  let workspace = '';
  beforeEach(() => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'palyra notes ')));
  });
  afterEach(() => {
    rmSync(workspace, { recursive: true });
  });
  const read = () =>
    workspaceNotes(onlyIn({ workspace, folders: [] }), quietLog()).read(workspace, 100);
  const notes = () => join(workspace, 'AGENTS.md');

  it('is what AGENTS.md at its top holds', async () => {
    writeFileSync(notes(), 'run `make check`\n');
    expect(await read()).toBe('run `make check`\n');
  });

  it.each([
    ['there is none', () => {}],
    [
      'there is one further down',
      () => {
        mkdirSync(join(workspace, 'docs'));
        writeFileSync(join(workspace, 'docs', 'AGENTS.md'), 'no');
      },
    ],
    [
      'it is a link',
      () => {
        writeFileSync(join(workspace, 'other.md'), 'no');
        symlinkSync('other.md', notes());
      },
    ],
    ['it is a folder', () => mkdirSync(notes())],
    ['it is longer than asked for', () => writeFileSync(notes(), 'x'.repeat(101))],
    ['it is no text', () => writeFileSync(notes(), new Uint8Array([0xff, 0xfe]))],
  ])('is nothing when %s', async (_name, lay) => {
    lay();
    expect(await read()).toBeUndefined();
  });

  it('is told to the operator when it is not taken, in fields that the log has not yet', async () => {
    mkdirSync(notes());
    const lines: string[] = [];
    const output = { isTerminal: true, write: (line: string) => void lines.push(line) };
    const log = createLog({ level: 'info', format: 'pretty' }, output);
    await workspaceNotes(onlyIn({ workspace, folders: [] }), log).read(workspace, 100);
    expect(lines.join('')).toContain('notes of the workspace not taken');
    expect(lines.join('')).toMatch(/reason.*`AGENTS.md` is a folder/);
  });
});
