import { create } from '@bufbuild/protobuf';
import { type FileChange, FileChangeSchema, WorkspaceFolderSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { netChanges, possibleNets } from './net-changes.ts';

const change = (path: string, beforeSha256: string, afterSha256: string): FileChange =>
  create(FileChangeSchema, { path, beforeSha256, afterSha256, beforeMode: 0o644 });

describe('what several changes come to', () => {
  it('goes from before the first to after the last, for each file', () => {
    const nets = netChanges([
      change('a', '1', '2'),
      change('b', '', '8'),
      change('a', '2', '3'),
      change('a', '3', '4'),
    ]);
    expect(nets).toMatchObject([
      { kind: 'change', path: 'a', change: { beforeSha256: '1', afterSha256: '4' } },
      { kind: 'change', path: 'b', change: { beforeSha256: '', afterSha256: '8' } },
    ]);
  });

  it('is nothing once it was undone', () => {
    const nets = netChanges([change('a', '1', '2'), change('a', '2', '1')]);
    expect(nets).toMatchObject([{ change: { beforeSha256: '1', afterSha256: '1' } }]);
  });

  it('leaves out a change that was noted and never made', () => {
    const nets = netChanges([change('a', '1', '2'), change('a', '1', '3')]);
    expect(nets).toMatchObject([{ change: { beforeSha256: '1', afterSha256: '3' } }]);
  });

  it('is of two files when the same path was changed in two workspaces', () => {
    const within = (number: string) => create(WorkspaceFolderSchema, { path: '/w', number });
    const nets = netChanges([
      { ...change('a', '1', '2'), workspace: within('1:1') },
      { ...change('a', '2', '1'), workspace: within('1:2') },
    ]);
    expect(nets).toMatchObject([
      { change: { workspace: { number: '1:2' } } },
      { change: { workspace: { number: '1:1' } } },
    ]);
  });

  it('is not known when somebody else wrote in between', () => {
    const nets = netChanges([change('a', '1', '2'), change('a', '7', '3')]);
    expect(nets).toEqual([{ kind: 'mixed', path: 'a' }]);
  });
});

describe('the mode that several changes go back to', () => {
  const withModes = (ends: readonly [string, string], beforeMode: number, afterMode: number) =>
    create(FileChangeSchema, {
      ...change('a', ...ends),
      beforeMode,
      afterMode,
    });

  it('is the one before the first, unless somebody set another between two', () => {
    const first = withModes(['1', '2'], 0o644, 0o644);
    expect(netChanges([first, withModes(['2', '3'], 0o644, 0o644)])).toMatchObject([
      { change: { beforeMode: 0o644, afterMode: 0o644 } },
    ]);
    expect(netChanges([first, withModes(['2', '3'], 0o600, 0o600)])).toMatchObject([
      { change: { beforeMode: 0o600, afterMode: 0o600 } },
    ]);
  });

  it('is told from the one that a file has when it was made anew', () => {
    const nets = netChanges([withModes(['1', ''], 0o755, 0), withModes(['', '2'], 0, 0o644)]);
    expect(nets).toMatchObject([{ change: { beforeMode: 0o755, afterMode: 0o644 } }]);
  });

  it('is not known of a file that they made, so one that somebody set since shows', () => {
    const nets = netChanges([withModes(['', '1'], 0, 0o644), withModes(['1', '2'], 0o600, 0o600)]);
    expect(nets).toMatchObject([{ change: { afterMode: 0o644 } }]);
  });

  it('is found for entries that do not tell what a change left', () => {
    expect(netChanges([withModes(['1', '2'], 0o755, 0)])).toMatchObject([
      { change: { beforeMode: 0o755, afterMode: 0o755 } },
    ]);
    expect(netChanges([withModes(['', '2'], 0, 0)])).toMatchObject([
      { change: { beforeMode: 0, afterMode: 0o644 } },
    ]);
  });
});

describe('what several changes and ways back may have come to', () => {
  const ends = (noted: Parameters<typeof possibleNets>[0]) =>
    possibleNets(noted).map((nets) =>
      nets.map((net) =>
        net.kind === 'mixed' ? 'mixed' : [net.change.beforeSha256, net.change.afterSha256],
      ),
    );
  const made = (before: string, after: string) => ({
    change: change('a', before, after),
    isWayBack: false,
  });
  const back = (before: string, after: string) => ({ ...made(before, after), isWayBack: true });

  it('is one thing where nothing was taken back', () => {
    expect(ends([made('1', '2'), made('2', '3')])).toEqual([[['1', '3']]]);
  });

  it('is that, or what it was before each of the last ways back', () => {
    expect(ends([made('1', '2'), made('2', '3'), back('3', '2'), back('2', '1')])).toEqual([
      [
        ['1', '1'],
        ['1', '2'],
        ['1', '3'],
      ],
    ]);
  });

  it('is one thing again after another change: what that began with tells', () => {
    expect(ends([made('1', '2'), back('2', '1'), made('2', '3')])).toEqual([[['1', '3']]]);
    expect(ends([made('1', '2'), back('2', '1'), made('1', '3')])).toEqual([[['1', '3']]]);
  });
});
