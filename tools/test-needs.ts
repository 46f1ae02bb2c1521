import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { print } from './print.ts';
import { environment, run } from './run.ts';

/** A program that some tests drive for real, and the Debian package that brings it. */
export interface Needed {
  readonly program: string;
  readonly debian: string;
}

export const NEEDED: readonly Needed[] = [
  { program: 'strace', debian: 'strace' },
  { program: 'bwrap', debian: 'bubblewrap' },
  // What sandboxes are started with, and what is tried in them.
  { program: 'unshare', debian: 'util-linux' },
  { program: 'setpriv', debian: 'util-linux' },
  { program: 'perl', debian: 'perl-base' },
  { program: 'git', debian: 'git' },
  { program: 'python3', debian: 'python3' },
  // The browser that looks at the console.
  { program: 'chromium', debian: 'chromium' },
];

export type Plan =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'install';
      readonly packages: readonly string[];
      readonly as: readonly string[];
    }
  | { readonly kind: 'tell'; readonly command: string };

export interface Machine {
  has(program: string): boolean;
  readonly rights: 'root' | 'sudo' | 'none';
}

/** Nothing is skipped for want of a program: it is installed, or its tests fail and this said why. */
export function planNeeds(needed: readonly Needed[], machine: Machine): Plan {
  const missing = needed.filter(({ program }) => !machine.has(program));
  const packages = [...new Set(missing.map(({ debian }) => debian))];
  if (packages.length === 0) return { kind: 'nothing' };
  const command = `sudo apt-get install -y ${packages.join(' ')}`;
  if (machine.rights === 'none' || !machine.has('apt-get')) return { kind: 'tell', command };
  return { kind: 'install', packages, as: machine.rights === 'root' ? [] : ['sudo', '-n'] };
}

export async function installNeeds(): Promise<void> {
  const plan = planNeeds(NEEDED, await thisMachine());
  switch (plan.kind) {
    case 'nothing':
      return;
    case 'tell':
      print(`missing programs; tests that need them will fail until you run: ${plan.command}`);
      return;
    case 'install':
      await install(plan.packages, plan.as);
      return;
  }
}

async function install(packages: readonly string[], as: readonly string[]): Promise<void> {
  print(`installing ${packages.join(' and ')} with apt-get ...`);
  const apt = async (...words: readonly string[]) => {
    const [program = '', ...args] = [...as, 'apt-get', ...words];
    return await run({ program, args, output: 'keep' });
  };
  const wanted = ['install', '-y', '--no-install-recommends', ...packages];
  // A list of packages that is out of date fails the first try; fetching it always is slow.
  let result = await apt(...wanted);
  if (result.code !== 0) {
    await apt('update');
    result = await apt(...wanted);
  }
  if (result.code === 0) return;
  print(result.output.trimEnd());
  print(`apt-get failed; tests that need ${packages.join(' or ')} will fail`);
}

async function thisMachine(): Promise<Machine> {
  return { has: isOnPath, rights: await rightsHere() };
}

async function rightsHere(): Promise<Machine['rights']> {
  if (process.getuid?.() === 0) return 'root';
  if (!isOnPath('sudo')) return 'none';
  const { code } = await run({ program: 'sudo', args: ['-n', 'true'], output: 'keep' });
  return code === 0 ? 'sudo' : 'none';
}

function isOnPath(program: string): boolean {
  return (environment()['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
