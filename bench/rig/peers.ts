import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run } from '../../tools/run.ts';
import { CACHE_DIR } from './home.ts';

/** Sandboxes of others, for comparison; exactly these, and never a part of the product. */
export const PEER_VERSIONS = {
  '@anthropic-ai/sandbox-runtime': '0.0.83',
  '@openai/codex': '0.166.0',
} as const;

export const PEERS_DIR = join(CACHE_DIR, 'peers');
const MANIFEST = z.object({ version: z.string() });

export function peerFile(...parts: readonly string[]): string {
  return join(PEERS_DIR, 'node_modules', ...parts);
}

/** Contract: rejects when they cannot be had, with a reason that a page can show. */
export async function installPeers(): Promise<void> {
  await installInto(PEERS_DIR, PEER_VERSIONS);
}

/** Contract: exactly these versions, below `node_modules` of a folder of the cache. */
export async function installInto(
  folder: string,
  versions: Readonly<Record<string, string>>,
): Promise<void> {
  if (await areThere(folder, versions)) return;
  await mkdir(folder, { recursive: true });
  const manifest = { private: true, dependencies: versions };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // None of their scripts runs: what they bring is measured, and nothing else of it is trusted.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  const args = ['install', '--prefix', folder, ...quiet];
  const { code } = await run({ program: 'npm', args, output: 'keep' });
  if (code !== 0) throw new Error(`npm could not install it (exit code ${code})`);
}

async function areThere(
  folder: string,
  versions: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const [name, version] of Object.entries(versions)) {
    const path = join(folder, 'node_modules', name, 'package.json');
    const text = await readFile(path, 'utf8').catch(() => '{}');
    const { data } = MANIFEST.safeParse(JSON.parse(text));
    if (data?.version !== version) return false;
  }
  return true;
}

/** What Codex brings for this machine. */
export function codexFile(...parts: readonly string[]): string {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const vendor = `vendor/${machine}-unknown-linux-musl`;
  return peerFile(`@openai/codex-linux-${process.arch}`, vendor, ...parts);
}

/** The helper is the same program under another name, and finds itself again by that. */
export async function codexHelper(): Promise<string> {
  const helper = join(PEERS_DIR, 'codex-linux-sandbox');
  await symlink(codexFile('bin/codex'), helper).catch((reason: unknown) => {
    if (!(reason instanceof Error && 'code' in reason && reason.code === 'EEXIST')) throw reason;
  });
  return helper;
}
