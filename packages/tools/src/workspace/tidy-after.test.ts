import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tidyAfter } from './tidy-after.ts';
import { TEST_CALL, TestWorkspace } from './workspace.fixture.ts';

const OTHER_CALL = '01M7HKFDPKAGNZCK3XX7JR03AE';
const draft = (callId: string) => `.palyra-draft-${callId}-0b8c6d1e-6a52-4c5e-9a53-0d1f2e3a4b5c`;
const [OWN, OTHER] = [draft(TEST_CALL), draft(OTHER_CALL)];

function tidy(space: TestWorkspace, path: string, madeFolders = 0): void {
  tidyAfter(TEST_CALL, { path, madeFolders }, space.hands.workspace);
}

describe('what a call that was cut off has left', () => {
  it('goes, and what another call has laid ready stays', () => {
    using space = new TestWorkspace({ [OWN]: 'half', [OTHER]: 'at work', a: 'x' });
    tidy(space, 'a');
    expect(space.names()).toEqual([OTHER, 'a']);
  });

  it('goes with the folders that it had made, as far as nothing else is in them', () => {
    using space = new TestWorkspace({ [`kept/new/${OWN}`]: 'half', 'kept/a': 'x' });
    tidy(space, 'kept/new/file', 2);
    expect(space.names()).toEqual(['kept', 'kept/a']);
  });

  it('takes nobody along who only looks like it', () => {
    using space = new TestWorkspace({ a: 'x', [`${OWN}.txt`]: 'mine' });
    symlinkSync('a', space.at(OWN));
    mkdirSync(space.at(draft(TEST_CALL.replace('A', 'B'))));
    const before = space.names();
    tidy(space, 'a');
    expect(space.names()).toEqual(before);
  });

  it('is not looked for where nothing is, or nothing may be written', () => {
    using space = new TestWorkspace({ [`.git/${OWN}`]: 'x' });
    tidy(space, 'nowhere/file', 1);
    tidy(space, '.git/config', 1);
    tidy(space, '../outside', 1);
    expect(space.names()).toEqual(['.git', `.git/${OWN}`]);
  });
});
