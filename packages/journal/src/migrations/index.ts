import { initial } from './001-initial.ts';

/** Every step of the store's shape, oldest first: number n turns version n - 1 into version n. */
export const MIGRATIONS: readonly string[] = [initial];
