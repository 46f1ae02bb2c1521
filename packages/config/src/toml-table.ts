import type { TomlTable } from 'smol-toml';

/** The parser gives tables no prototype; dates and times, which are objects too, have one. */
export function isTomlTable(value: unknown): value is TomlTable {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === null
  );
}
