import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Etc, EtcShelf, makeFile, makeFolder } from './etc.ts';
import { OBEYED } from './guard/rules.ts';
import type { Guarded } from './guard/scan.ts';
import { INSIDE_ID, type System } from './plan.ts';
import type { Network } from './system.ts';

/** What is ours and seen by every sandbox: its `/etc`, and what masks are made of. */
export interface Furniture {
  /** As the machine is now. */
  etcFor(network: Network): Etc;
  /** What lies over a guarded name; absent for one that is bound to itself. */
  maskFor(how: Guarded['how']): string | undefined;
  /** A folder in which nothing is. */
  readonly nothing: string;
}

/** A machine with one user and one host, whatever the real one is. */
function etcFiles(network: Network): Readonly<Record<string, string>> {
  return {
    passwd: `sandbox:x:${INSIDE_ID}:${INSIDE_ID}:sandbox:/tmp/home:/bin/sh\n`,
    group: `sandbox:x:${INSIDE_ID}:\n`,
    hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
    'nsswitch.conf': `passwd: files\ngroup: files\nhosts: files${network === 'shared' ? ' dns' : ''}\n`,
    // Masks of missing names are files like any other to a program that lists them.
    gitconfig: `[core]\n\texcludesFile = /etc/${GUARDED_NAMES}\n`,
    [GUARDED_NAMES]: OBEYED.project.files.map((name) => `/${name}\n`).join(''),
  };
}

const GUARDED_NAMES = 'guarded-names';

/** Contract: `folder` is ours alone; what lay there before is replaced. */
export function furnish(folder: string, systems: Readonly<Record<Network, System>>): Furniture {
  const masks = join(folder, 'masks');
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  const shelfFor = (network: Network) =>
    new EtcShelf({
      folder: join(folder, `etc-${network}`),
      files: etcFiles(network),
      from: '/etc',
      wanted: systems[network].etc,
    });
  const shelves = { own: shelfFor('own'), shared: shelfFor('shared') };
  makeFolder(masks);
  makeFile(join(masks, 'empty-file'), '', 0o444);
  makeFile(join(masks, 'sealed-file'), '', 0o000);
  makeFolder(join(masks, 'empty-folder'));
  return {
    etcFor: (network) => shelves[network].current(),
    nothing: join(masks, 'empty-folder'),
    maskFor: (how) => {
      const name = MASKS[how];
      return name === undefined ? undefined : join(masks, name);
    },
  };
}

const MASKS: Readonly<Record<Guarded['how'], string | undefined>> = {
  pinned: undefined,
  'read-only': undefined,
  'sealed-file': 'sealed-file',
  'sealed-folder': 'empty-folder',
  'missing-file': 'empty-file',
  'missing-folder': 'empty-folder',
};
