import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guarded } from './guard/scan.ts';
import { INSIDE_ID, type System } from './plan.ts';
import type { Network } from './system.ts';

/** What is ours and seen by every sandbox: its `/etc`, and what masks are made of. */
export interface Furniture {
  readonly etc: Readonly<Record<Network, string>>;
  /** What lies over a guarded name; absent for one that is bound to itself. */
  maskFor(how: Guarded['how']): string | undefined;
}

/** A machine with one user and one host, whatever the real one is. */
function etcFiles(network: Network): Readonly<Record<string, string>> {
  return {
    passwd: `sandbox:x:${INSIDE_ID}:${INSIDE_ID}:sandbox:/tmp/home:/bin/sh\n`,
    group: `sandbox:x:${INSIDE_ID}:\n`,
    hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
    'nsswitch.conf': `passwd: files\ngroup: files\nhosts: files${network === 'shared' ? ' dns' : ''}\n`,
  };
}

/** Contract: `folder` is ours alone; what lay there before is replaced. */
export function furnish(folder: string, systems: Readonly<Record<Network, System>>): Furniture {
  const masks = join(folder, 'masks');
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  const etc = { own: join(folder, 'etc-own'), shared: join(folder, 'etc-shared') };
  for (const network of ['own', 'shared'] as const) {
    writeEtc(etc[network], etcFiles(network), systems[network].etc);
  }
  makeFolder(masks);
  makeFile(join(masks, 'empty-file'), '', 0o444);
  makeFile(join(masks, 'sealed-file'), '', 0o000);
  makeFolder(join(masks, 'empty-folder'));
  return {
    etc,
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

function writeEtc(
  folder: string,
  files: Readonly<Record<string, string>>,
  bound: readonly string[],
): void {
  makeFolder(folder);
  makeFolder(join(folder, 'ssl'));
  for (const [name, text] of Object.entries(files)) makeFile(join(folder, name), text);
  for (const path of bound) {
    const place = join(folder, path.slice('/etc/'.length));
    if (FOLDERS.has(path)) makeFolder(place);
    else makeFile(place, '');
  }
}

const FOLDERS = new Set(['/etc/alternatives', '/etc/ssl/certs']);

// The rights are set once more: a strict mask of the process must not hide `/etc` from a sandbox.
function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

function makeFile(path: string, text: string, mode = 0o644): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}
