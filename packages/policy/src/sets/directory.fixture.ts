import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';

export const IS_ROOT = process.getuid?.() === 0;

/** The directories of a gateway's layers, real ones, gone afterwards. */
export class LayerDirectories implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'palyra-policies-'));
  /** Not in a directory that everybody may write to, or nothing in it would be believed. */
  readonly etc = IS_ROOT ? join(userInfo().homedir, `.${basename(this.path)}`) : this.at('etc');
  readonly dirs = {
    admin: join(this.etc, 'policies'),
    operator: this.at('config/policies'),
    workspace: this.at('work/.palyra/policies'),
  };

  at(name: string): string {
    return join(this.path, name);
  }

  write(
    layer: 'admin' | 'operator' | 'workspace',
    name: string,
    text: string | Uint8Array,
  ): string {
    const file = join(this.dirs[layer], name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, text, { mode: 0o644 });
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
    rmSync(this.etc, { recursive: true, force: true });
  }
}

export const SOMEBODY_ELSE = 65_534;
