import { visibleText } from '@palyra/kernel';

/** Which layer a value came from, and where in it. */
export type Origin =
  | { readonly kind: 'built-in' }
  | { readonly kind: 'profile'; readonly profile: string }
  | FileOrigin
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'flag' };

export interface FileOrigin {
  readonly kind: FileKind;
  readonly file: string;
  /** Absent when the whole file is meant. */
  readonly line?: number;
}

/**
 * `system`: /etc/palyra/palyra.toml · `user`: the operator's own · `named`: the one that
 * `PALYRA_CONFIG` names · `workspace`: comes with somebody's project, so it may only narrow.
 */
export type FileKind = 'system' | 'user' | 'named' | 'workspace';

export function describeOrigin(origin: Origin): string {
  switch (origin.kind) {
    case 'built-in':
      return 'the built-in default';
    case 'profile':
      return `profile \`${origin.profile}\``;
    case 'environment':
      return `\`${visibleText(origin.name, 'one-line')}\``;
    case 'flag':
      return '`--set`';
    case 'system':
    case 'user':
    case 'named':
    case 'workspace':
      return describeFile(origin);
  }
}

function describeFile({ file, line }: FileOrigin): string {
  const shown = visibleText(file, 'one-line');
  return line === undefined ? shown : `${shown}:${line}`;
}
