import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PolicyLayer } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { candidateOf, filesOf } from './policy-candidate.ts';

const HASH = '45cb3c594ece39598e5ac741760ff895158fd97d49a5a757b729c1b3e5eb46af';

function folder() {
  return mkdtempDisposable(join(tmpdir(), 'palyra-candidate-'));
}

describe('a candidate', () => {
  it.each(['active', HASH, HASH.slice(0, 8), HASH.slice(0, 20)])(
    '%j is a set that the gateway knows',
    async (name) => {
      expect((await candidateOf(name)).candidate).toEqual({ case: 'policySetHash', value: name });
    },
  );

  it('is every file of rules in a folder, as the layer of the operator', async () => {
    await using dir = await folder();
    await mkdir(join(dir.path, 'tests'));
    await writeFile(join(dir.path, 'b.cedar'), '// two');
    await writeFile(join(dir.path, 'a.cedar'), '// one');
    await writeFile(join(dir.path, 'notes.txt'), 'no rules');
    const { candidate } = await candidateOf(dir.path);
    if (candidate.case !== 'files') throw new Error(`it is ${String(candidate.case)}`);
    expect(candidate.value.files.map(({ name, text, layer }) => [name, text, layer])).toEqual([
      ['a.cedar', '// one', PolicyLayer.OPERATOR],
      ['b.cedar', '// two', PolicyLayer.OPERATOR],
    ]);
  });

  it('is one file, by its name alone', async () => {
    await using dir = await folder();
    await writeFile(join(dir.path, 'team.cedar'), '// ours');
    const files = await filesOf(join(dir.path, 'team.cedar'));
    expect(files.map(({ name, text }) => [name, text])).toEqual([['team.cedar', '// ours']]);
  });
});

describe('no candidate', () => {
  it.each(['.draft.cedar', 'TEAM.CEDAR', 'team', 'link', 'link.cedar'])(
    'is a folder of which %s would be left out',
    async (name) => {
      await using dir = await folder();
      const path = join(dir.path, name);
      await writeFile(join(dir.path, 'a.cedar'), '// one');
      if (name === 'team') await mkdir(path);
      else if (name.startsWith('link')) await symlink('a.cedar', path);
      else await writeFile(path, '');
      await expect(filesOf(dir.path)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `it would be left out: \`${path}\``,
      });
    },
  );

  it('is where there is nothing', async () => {
    await using dir = await folder();
    const path = join(dir.path, 'draft');
    await expect(candidateOf(path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `there is nothing at \`${path}\``,
    });
  });

  it('is a folder without rules: applied, it would take away every rule', async () => {
    await using dir = await folder();
    await expect(filesOf(dir.path)).rejects.toThrow('there is no `.cedar` file in');
  });

  it('is a folder with more files than a layer may have', async () => {
    await using dir = await folder();
    const names = Array.from({ length: 129 }, (_, place) => `${place}.cedar`);
    await Promise.all(names.map((name) => writeFile(join(dir.path, name), '')));
    await expect(filesOf(dir.path)).rejects.toThrow('more than 128 files are in');
  });

  it('is a file that is too long', async () => {
    await using dir = await folder();
    const path = join(dir.path, 'long.cedar');
    await writeFile(path, ' '.repeat(256 * 1024));
    await expect(filesOf(path)).resolves.toHaveLength(1);
    await writeFile(path, ' '.repeat(256 * 1024 + 1));
    await expect(filesOf(path)).rejects.toThrow('longer than 262144 bytes');
  });

  it('is what is no text', async () => {
    await using dir = await folder();
    const path = join(dir.path, 'odd.cedar');
    await writeFile(path, new Uint8Array([0x2f, 0x2f, 0xff]));
    await expect(filesOf(path)).rejects.toThrow('not UTF-8');
  });

  it('is a folder that is called like a file of rules', async () => {
    await using dir = await folder();
    await mkdir(join(dir.path, 'team.cedar'));
    await expect(filesOf(dir.path)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
