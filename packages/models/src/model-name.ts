import { visibleText } from '@palyra/kernel';

export const MAX_MODEL_NAME = 256;

/** Whether a provider may have a model of this name: what nobody can see is in none. */
export function isModelName(text: string): boolean {
  const isPlain = text !== '' && text.trim() === text && visibleText(text, 'one-line') === text;
  return isPlain && text.length <= MAX_MODEL_NAME;
}
