import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@palyra/kernel';
import { createCatalogue } from '../catalogue.ts';
import {
  DEFAULT_TOOL_LIMITS,
  type KeptVersion,
  type ToolHands,
  type ToolLimits,
} from '../hands.ts';
import { runTool } from '../run-tool.ts';
import { type MountPoint, type OpenWorkspace, openWorkspace } from './open-workspace.ts';

/** A real folder with real files; what is kept is in memory. */
/** Whose hands they are. */
export const TEST_CALL = '01M7HKFDPKAGNZCK3XX7JR03AD';

/** When mount points are made, in seconds. */
export const MADE_AT = 1_700_000_000;

export class TestWorkspace implements Disposable {
  readonly root: string;
  readonly path: string;
  hands: ToolHands;
  readonly kept: KeptVersion[] = [];
  readonly #mountPoints: MountPoint[] = [];

  constructor(files: Readonly<Record<string, string>> = {}, limits: Partial<ToolLimits> = {}) {
    this.root = mkdtempSync(join(tmpdir(), 'palyra-tools-'));
    this.path = join(this.root, 'workspace');
    mkdirSync(join(this.path, '.palyra'), { recursive: true });
    chmodSync(this.root, 0o755);
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    const gatewayFolders = [join(this.path, 'state'), join(this.root, 'nowhere')];
    mkdirSync(join(this.path, 'state'), { recursive: true });
    const workspace = this.#open(gatewayFolders);
    this.hands = {
      callId: TEST_CALL,
      workspace,
      undo: {
        keep: async (old) => {
          this.kept.push(old);
        },
      },
      limits: { ...DEFAULT_TOOL_LIMITS, ...limits },
    };
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  at(name: string): string {
    return join(this.path, name);
  }

  /** Everything below, drafts included and through no link; without the folders that are always there. */
  names(folder = ''): string[] {
    return readdirSync(this.at(folder), { withFileTypes: true })
      .flatMap((entry) => {
        const name = join(folder, entry.name);
        if (name === '.palyra' || name === 'state') return [];
        return entry.isDirectory() ? [name, ...this.names(name)] : [name];
      })
      .toSorted();
  }

  /** The owner is that of the folder at the time when it is opened. */
  reopen(): void {
    this.hands.workspace[Symbol.dispose]();
    const workspace = this.#open([this.at('state')]);
    this.hands = { ...this.hands, workspace };
  }

  /** What a sandbox makes for a mask to lie on, as the gateway is told of it. */
  addMountPoint(path: string, kind: MountPoint['kind']): void {
    if (kind === 'file') this.write(path, '');
    else mkdirSync(this.at(path), { recursive: true });
    // A whole second, which whoever wants to deceive can set again to the very same.
    utimesSync(this.at(path), MADE_AT, MADE_AT);
    const { dev: device, ino: inode, mtimeMs: changedMs } = lstatSync(this.at(path));
    this.#mountPoints.push({ path, kind, device, inode, changedMs });
    this.reopen();
  }

  /** As a call goes: read by the manifest, run with what that gave. */
  async run(tool: string, args: JsonObject, signal = new AbortController().signal) {
    const understood = createCatalogue().find(tool)?.understand(args, this.path);
    if (understood?.kind !== 'understood') throw new TypeError(understood?.reason ?? 'no tool');
    return this.runAnyway(tool, understood.arguments, signal);
  }

  /** Without the manifest, as nobody should: the run has to stand alone. */
  async runAnyway(tool: string, args: JsonObject, signal = new AbortController().signal) {
    const output = await runTool({ name: tool, arguments: args }, this.hands, signal);
    if (output.kind === 'succeeded') return Buffer.from(output.bytes).toString();
    return `${output.error.code}: ${output.error.message}`;
  }

  #open(gatewayFolders: readonly string[]): OpenWorkspace {
    return openWorkspace({
      path: this.path,
      gatewayFolders,
      mountPoints: () => this.#mountPoints,
    });
  }

  [Symbol.dispose](): void {
    this.hands.workspace[Symbol.dispose]();
    rmSync(this.root, { recursive: true, force: true });
  }
}
