import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../tools/run.ts';
import {
  DEFAULT_LIMITS,
  type SandboxRequest,
  type Sandboxes,
  startSandboxd,
} from '@palyra/sandbox';

/** Where cages are made, and what they may write; gone with everything in it when disposed of. */
export interface Site extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
}

export async function sandboxSite(): Promise<Site> {
  const path = await mkdtemp(join(tmpdir(), 'palyra-'));
  // As root, commands run as somebody without rights, who has to pass.
  await chmod(path, 0o755);
  const site = { folder: join(path, 'state'), workspace: join(path, 'workspace') };
  await mkdir(site.folder, { mode: 0o711 });
  await chmod(site.folder, 0o711);
  await mkdir(site.workspace);
  return { ...site, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export function requestFor(
  { workspace }: Pick<Site, 'workspace'>,
  wish: Pick<SandboxRequest, 'executable' | 'arguments'> & Partial<SandboxRequest>,
): SandboxRequest {
  return {
    tier: 'C',
    workspace,
    directory: '.',
    environment: {},
    stdin: new Uint8Array(),
    limits: DEFAULT_LIMITS,
    egress: { mode: 'strict', hosts: [], secrets: [] },
    principal: 'bench',
    session: 'bench',
    policySetHash: '',
    ...wish,
  };
}

/** As the daemon does: sandboxes that a process beside this one makes, proven before they are used. */
export async function provenSandboxes({ folder }: Pick<Site, 'folder'>): Promise<Sandboxes> {
  const sandboxes = startSandboxd({
    program: join(ROOT, 'dist/sandboxd.cjs'),
    opening: { folder, version: 'bench', warm: 1, warmTotal: 16, programs: [] },
    onWords: (words) => void process.stderr.write(words),
  });
  await sandboxes.verdict();
  return sandboxes;
}
