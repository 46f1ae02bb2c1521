import { readlinkSync } from 'node:fs';
import { posix } from 'node:path';

/** How programs see the machine: outside of a cage as it is, and in one by another name of the workspace. */
export interface View {
  readonly workspace: string;
  /** What a program there calls it. */
  readonly workspaceAt: string;
  /** Where it starts, from the workspace on. */
  readonly start: string;
}

/** As many as the kernel follows. */
const MOST_LINKS = 40;
const MOST_CHARACTERS = 4096;
/** Of whichever process: a program there is in the folder that it was started in, and has one root. */
const OF_A_PROCESS = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?<what>cwd|root)$/;

/**
 * Where on the machine a name leads, step by step as the kernel goes: `..` is what is above the place that
 * a link led to. Contract: a place in the workspace, or the link in it that leads out; `undefined` for what
 * has nothing to do with it. Never throws, and tells nothing of whether it is there.
 */
export function whereItLeads(name: string, view: View): string | undefined {
  if (name.length > MOST_CHARACTERS) return undefined;
  const { workspaceAt, start } = view;
  const names = (name.startsWith('/') ? name : `${workspaceAt}/${start}/${name}`).split('/');
  let here: string[] = [];
  let wayOut: string | undefined;
  let links = 0;
  for (let next = names.shift(); next !== undefined; next = names.shift()) {
    if (next === '' || next === '.') continue;
    if (next === '..') {
      here.pop();
      continue;
    }
    const there = `/${[...here, next].join('/')}`;
    const target = targetOf(there, view);
    if (target === undefined) {
      here.push(next);
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return undefined;
    const isWayOut = onMachine(posix.resolve('/', ...here, target), view) === undefined;
    if (isWayOut) wayOut = onMachine(there, view) ?? wayOut;
    if (target.startsWith('/')) here = [];
    names.unshift(...target.split('/'));
  }
  return onMachine(`/${here.join('/')}`, view) ?? wayOut;
}

/** Contract: `undefined` for what is not there, or no link. */
function targetOf(there: string, view: View): string | undefined {
  const ofProcess = OF_A_PROCESS.exec(there)?.groups?.['what'];
  if (ofProcess !== undefined) {
    return ofProcess === 'root' ? '/' : `${view.workspaceAt}/${view.start}`;
  }
  // Of the gateway's own processes nothing is told about those of a command.
  if (there.startsWith('/proc/')) return undefined;
  try {
    // Of the system a cage shows what the machine has.
    return readlinkSync(onMachine(there, view) ?? there);
  } catch {
    return undefined;
  }
}

/** Contract: `undefined` for what is not in the workspace. */
function onMachine(path: string, { workspace, workspaceAt }: View): string | undefined {
  if (path === workspaceAt) return workspace;
  const below = workspaceAt === '/' ? '/' : `${workspaceAt}/`;
  if (!path.startsWith(below)) return undefined;
  return `${workspace === '/' ? '' : workspace}/${path.slice(below.length)}`;
}
