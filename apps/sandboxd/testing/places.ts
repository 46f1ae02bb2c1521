import { join } from 'node:path';

export const SANDBOXD = join(import.meta.dirname, '../../../dist/sandboxd.cjs');
