import { initial } from './001-initial.ts';
import { records } from './002-records.ts';
import { projection } from './003-projection.ts';
import { runEndings } from './004-run-endings.ts';
import { activity } from './005-activity.ts';

/** Every step of the store's shape, oldest first: number n turns version n - 1 into version n. */
export const MIGRATIONS: readonly string[] = [initial, records, projection, runEndings, activity];
