import type { KeySource } from './keys.ts';

/** Where a key comes from, for people; empty where there is to be none. */
export function keyWords(source: KeySource): string {
  switch (source.kind) {
    case 'none':
      return '';
    case 'environment':
      return `the variable ${source.name}`;
    case 'file':
      return `the file ${source.path}`;
  }
}
