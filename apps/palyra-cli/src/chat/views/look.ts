import type { Environment } from '@palyra/kernel';
import { styleText } from 'node:util';
import type { Paint } from '../../terminal.ts';

/** How things look on this terminal, and how much room there is. */
export interface Look {
  readonly paint: Paint;
  readonly hasColour: boolean;
  readonly environment: Environment;
  readonly columns: number;
  readonly rows: number;
}

/** Where the next character goes. */
export function cursorOn(text: string): string {
  return styleText('inverse', text, { validateStream: false });
}
