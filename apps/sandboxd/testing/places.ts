import { join } from 'node:path';

export const SANDBOXD = join(import.meta.dirname, '../../../dist/sandboxd.cjs');
export const STAND_IN = join(import.meta.dirname, 'stand-in.ts');
