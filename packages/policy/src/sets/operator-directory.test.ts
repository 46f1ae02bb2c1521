import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { LayerDirectories } from './directory.fixture.ts';
import { replaceOperatorFiles } from './operator-directory.ts';
import { readLayers } from './read-layers.ts';

describe('the files of the operator', () => {
  it('are exchanged as a whole; what is not a file of rules stays', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'old.cedar', 'old');
    layers.write('operator', 'both.cedar', 'old');
    layers.write('operator', 'notes.txt', 'mine');
    const { operator } = layers.dirs;
    replaceOperatorFiles(operator, [file('both.cedar', 'new'), file('new.cedar', 'new')]);
    expect(readdirSync(operator)).toEqual(['both.cedar', 'new.cedar', 'notes.txt']);
    expect(readFileSync(join(operator, 'both.cedar'), 'utf8')).toBe('new');
  });

  it('are put into a directory that is made for us alone', () => {
    using layers = new LayerDirectories();
    const { operator } = layers.dirs;
    replaceOperatorFiles(operator, [file('a.cedar', 'a')]);
    expect((statSync(operator).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(join(operator, 'a.cedar')).mode & 0o777).toString(8)).toBe('600');
  });

  it.each(['../a.cedar', 'a/b.cedar', '.a.cedar', 'a.txt', '', '.applying', 'ä.cedar'])(
    'cannot be called %j, and then nothing is written',
    (name) => {
      using layers = new LayerDirectories();
      expect(() => replaceOperatorFiles(layers.dirs.operator, [file(name, '')])).toThrow(
        expect.objectContaining({ code: 'POLICY_INVALID' }),
      );
      expect(existsSync(layers.dirs.operator)).toBe(false);
    },
  );

  it.each(['X.CEDAR', '.x.cedar', 'team/x.cedar'])(
    'are not written beside %s, for which they would be refused afterwards',
    (name) => {
      using layers = new LayerDirectories();
      layers.write('operator', 'a.cedar', 'old');
      layers.write('operator', name, '');
      const { operator } = layers.dirs;
      expect(() => replaceOperatorFiles(operator, [file('a.cedar', 'new')])).toThrow(
        expect.objectContaining({ code: 'POLICY_INVALID' }),
      );
      expect(readFileSync(join(operator, 'a.cedar'), 'utf8')).toBe('old');
      expect(existsSync(join(operator, '.applying'))).toBe(false);
    },
  );

  it('cannot share a name, not even in capitals', () => {
    using layers = new LayerDirectories();
    const files = [file('a.cedar', ''), file('A.cedar', '')];
    expect(() => replaceOperatorFiles(layers.dirs.operator, files)).toThrow(
      expect.objectContaining({ code: 'POLICY_INVALID' }),
    );
  });

  it('are not written where others may write', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'a.cedar', 'old');
    chmodSync(layers.dirs.operator, 0o777);
    expect(() => replaceOperatorFiles(layers.dirs.operator, [file('a.cedar', '')])).toThrow(
      expect.objectContaining({ code: 'HOME_UNSAFE' }),
    );
    expect(readFileSync(join(layers.dirs.operator, 'a.cedar'), 'utf8')).toBe('old');
  });

  it('are marked as half done when one cannot be written, and whole after the next time', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'a.cedar', 'old');
    const { operator } = layers.dirs;
    mkdirSync(join(operator, 'b.cedar'));
    const files = [file('a.cedar', 'new'), file('b.cedar', 'new')];
    expect(() => replaceOperatorFiles(operator, files)).toThrow(
      expect.objectContaining({ code: 'HOME_UNSAFE' }),
    );
    expect(readLayers({ operator }).problems[0]?.reason).toContain('an apply was interrupted');
    rmdirSync(join(operator, 'b.cedar'));
    replaceOperatorFiles(operator, [file('c.cedar', 'c')]);
    expect(readLayers({ operator }).files.map(({ name }) => name)).toEqual(['c.cedar']);
  });
});

function file(name: string, text: string): PolicyFile {
  return { layer: 'operator', name, text };
}
