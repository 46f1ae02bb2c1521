import { type Scan, scan } from './scan.ts';

const BEFORE_SPECIFIER = /(?:\bfrom|\bimport|\b(?:import|require|import\.meta\.resolve)\s*\()\s*$/;
/** Longer than any run of blanks between `import(` and its string. */
const LOOK_BACK = 200;

/** Every module that a source names, types included: a type is a dependency too. */
export function importsOf(source: string): readonly string[] {
  return specifiersIn(scan(source));
}

function specifiersIn({ code, strings }: Scan): string[] {
  return strings
    .filter(({ start }) => BEFORE_SPECIFIER.test(code.slice(Math.max(0, start - LOOK_BACK), start)))
    .map(({ text }) => text);
}
