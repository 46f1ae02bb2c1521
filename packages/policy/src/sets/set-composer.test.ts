import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { TOOLS, forbid, operator, workspace } from './compile.fixture.ts';
import { compile } from './compile.ts';
import { SetComposer } from './set-composer.ts';
import type { SetTexts } from './set-hash.ts';

const PEOPLE = operator(forbid(''));
const THEIRS = workspace(forbid(''));

describe('rules that take the process with them that looks at them', () => {
  it('are those of the workspace: then it may do nothing, and people have theirs', async () => {
    const composed = await composer(isOf(THEIRS)).compose(reading([PEOPLE, THEIRS]), 'force');
    expect(composed).toMatchObject({
      kind: 'composed',
      problems: [{ layer: 'workspace', file: '.', reason: 'its rules could not be looked at' }],
    });
    const ids = composed.kind === 'composed' ? composed.set.rules.map(({ id }) => id) : [];
    expect(ids.slice(-2)).toEqual(['a', 'workspace-does-nothing-while-unreadable']);
  });

  it('are those of people: nothing is composed', async () => {
    const composing = composer(isOf(PEOPLE)).compose(reading([PEOPLE, THEIRS]), 'force');
    await expect(composing).rejects.toMatchObject({ code: 'UNEXPECTED' });
  });
});

describe('what is wrong with the rules of people', () => {
  it('is told, also when those of the workspace could not be looked at', async () => {
    const files = [operator('nonsense'), THEIRS];
    const composed = await composer(isOf(THEIRS)).compose(reading(files), 'force');
    expect(composed.kind).toBe('refused');
    expect(composed.problems.map(({ layer }) => layer)).toEqual(['operator', 'workspace']);
  });
});

function reading(files: readonly PolicyFile[]) {
  return { files, problems: [] };
}

function isOf(file: PolicyFile) {
  return ({ files }: SetTexts) => files.some((each) => each.text === file.text);
}

/** Compiles in this process, except what would take one with it. */
function composer(breaks: (texts: SetTexts) => boolean): SetComposer {
  return new SetComposer({
    mode: 'ask',
    inForce: () => undefined,
    maker: {
      make: async (texts) => {
        if (breaks(texts)) throw new PalyraError('UNEXPECTED', 'the process is gone');
        return compile(texts.files, { mode: 'ask', tools: TOOLS });
      },
    },
  });
}
