import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import type { Guarded } from '../tier-c-bubblewrap/guard/scan.ts';
import { type Surroundings, placeText, plan, planHash, scriptOf } from './plan.ts';
import { ALL_FILES, rightsOf } from './rights.ts';

const REQUEST: SandboxRequest = {
  tier: 'C',
  executable: 'make',
  arguments: ["it's"],
  workspace: '/home/someone/project',
  directory: '.',
  environment: { CC: 'gcc' },
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: 'someone',
  session: 'one',
  policySetHash: '',
};
const GUARDED: readonly Guarded[] = [
  { path: '.env', how: 'sealed-file' },
  { path: '.envrc', how: 'missing-file' },
  { path: '.git', how: 'read-only' },
  { path: 'deep', how: 'pinned' },
  { path: 'deep/.ssh', how: 'sealed-folder' },
];
const AROUND: Surroundings = {
  system: [{ of: 'system', path: '/usr', grant: 'read-run' }],
  guarded: GUARDED,
  open: [
    { path: 'deep/code', kind: 'folder' },
    { path: 'notes.txt', kind: 'file' },
  ],
  weaknesses: [],
  filterHash: 'f',
  program: '/usr/bin/make',
  runAs: undefined,
};

describe('a plan for Landlock', () => {
  const made = plan(REQUEST, AROUND);

  it('gives the siblings of guarded names, and never a folder that holds one', () => {
    expect(made.places.map(placeText)).toEqual([
      'read-run /usr',
      'folder <scratch>/.',
      'list <workspace>/.',
      'read-run <workspace>/.git',
      'folder <workspace>/deep/code',
      'file <workspace>/notes.txt',
    ]);
  });

  it('says what this step cannot do', () => {
    const said = made.weaknesses.join('\n');
    expect(said).toContain('no namespace');
    expect(said).toContain('directly in `.`, `deep`');
    expect(said).toContain('the names in `deep/.ssh` can be listed');
  });

  it('is the same for the same request, and another for another', () => {
    expect(planHash(plan(REQUEST, AROUND))).toBe(planHash(made));
    for (const other of [
      plan({ ...REQUEST, arguments: [] }, AROUND),
      plan({ ...REQUEST, environment: {} }, AROUND),
      plan(REQUEST, { ...AROUND, open: [] }),
      plan(REQUEST, { ...AROUND, filterHash: 'g' }),
      plan(REQUEST, { ...AROUND, runAs: { uid: 5, gid: 5 } }),
      plan({ ...REQUEST, limits: { ...DEFAULT_LIMITS, processes: 3 } }, AROUND),
    ]) {
      expect(planHash(other)).not.toBe(planHash(made));
    }
  });

  it('lets no word from outside mean anything to the launcher', () => {
    const script = scriptOf(made, { scratch: '/s', others: 4, mark: 'm' });
    expect(script).toContain(String.raw`'/usr/bin/make' 'make' 'it'\''s'`);
    expect(script).toContain("export TMPDIR='/s'");
    expect(script.trim().split('\n')).toHaveLength(1);
  });

  it('gives a file nothing that only a folder can have, and no device or socket to be made', () => {
    expect(rightsOf('folder', 'other')).toBe(rightsOf('file', 'other'));
    expect(rightsOf('list', 'folder')).toBe(0b1000);
    const [device, socket, block] = [1 << 6, 1 << 9, 1 << 11];
    expect(rightsOf('folder', 'folder') & (device | socket | block)).toBe(0);
    expect(ALL_FILES).toBe(0xffff);
  });
});
