import { visibleText } from '@palyra/kernel';
import type { Session } from '@palyra/protocol';

export function titleOf({ title }: Session): string {
  return title === '' ? 'Without a title' : visibleText(title, 'one-line');
}
