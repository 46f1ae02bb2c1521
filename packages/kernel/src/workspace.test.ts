import { create } from '@bufbuild/protobuf';
import { WorkspaceFolderSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { isSameWorkspace, otherWorkspace } from './workspace.ts';

const folder = (path: string, number: string) => create(WorkspaceFolderSchema, { path, number });
const here = folder('/a', '1:2');

describe('a workspace', () => {
  it('is the same with the same path and the same number', () => {
    expect(isSameWorkspace(folder('/a', '1:2'), here)).toBe(true);
  });

  it.each([
    ['that is not on record', undefined, here],
    ['of another path', folder('/b', '1:2'), here],
    ['of another number', folder('/a', '1:3'), here],
    ['that was not there', folder('/a', ''), folder('/a', '')],
  ])('%s is another one', (_what, then, now) => {
    expect(isSameWorkspace(then, now)).toBe(false);
  });
});

describe('where something was done in another workspace', () => {
  it('names both folders, and says how to get there', () => {
    expect(otherWorkspace(folder('/b', '1:3'), here)).toEqual({
      where: 'in the workspace `/b`, and the gateway works in `/a`',
      help: 'name `/b` in `runs.workspaces`, or start the gateway there',
    });
  });

  it('tells a folder that was replaced from one of another name', () => {
    expect(otherWorkspace(folder('/a', '1:3'), here).where).toContain('another folder');
  });

  it('says when nobody wrote it down', () => {
    expect(otherWorkspace(undefined, here).where).toContain('not on record');
  });
});
