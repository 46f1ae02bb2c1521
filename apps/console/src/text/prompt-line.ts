import { hideSecretsIn, visibleText } from '@palyra/kernel';

/** A prompt in a list: what looks like a secret in it is for whoever opens the run. */
export function promptLine(prompt: string): string {
  return visibleText(hideSecretsIn(prompt), 'one-line');
}
