import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { scan } from './scan.ts';

describe('importsOf', () => {
  it.each([
    ["import { a } from '@palyra/kernel';", ['@palyra/kernel']],
    ["import type { A } from '@palyra/kernel';", ['@palyra/kernel']],
    ['import {\n  a,\n  type B,\n} from "./a.ts";', ['./a.ts']],
    ["import './side-effect.ts';", ['./side-effect.ts']],
    ["export * from './a.ts';", ['./a.ts']],
    ["export { a } from './a.ts';", ['./a.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["const a = await import(\n  // why\n  './a.ts'\n);", ['./a.ts']],
    ["type A = typeof import('./a.ts');", ['./a.ts']],
    ["const a = require('./a.ts');", ['./a.ts']],
    ['const a = `${(await import("./a.ts")).b}`;', ['./a.ts']],
    ['await import(`./a.ts`);', ['./a.ts']],
    ["import a from './a.json' with { type: 'json' };", ['./a.json']],
  ])('finds what %j names', (source, expected) => {
    expect(importsOf(source)).toEqual(expected);
  });

  it.each([
    ["// import { a } from './a.ts';"],
    ["/* import './a.ts'; */"],
    ['const text = "import { a } from \'./a.ts\'";'],
    ["const text = `import { a } from './a.ts'`;"],
    ["const pattern = /from '/; const text = './a.ts';"],
    ["const text = 'it\\'s // from'; const other = './a.ts';"],
    ["const ratio = total / 2; const where = './a.ts'; const half = total / 2;"],
  ])('is not fooled by %j', (source) => {
    expect(importsOf(source)).toEqual([]);
  });
});

describe('scan', () => {
  it('keeps positions and line breaks', () => {
    const source = "a('x'); // y\nb(`p${c}q`);\n";
    expect(scan(source).code).toBe("a(' ');     \nb(` ${c} `);\n");
  });

  it('goes on after a pattern with a quote or a slash in a class', () => {
    expect(scan('x = /[\'"/]/u; Date.now();').code).toContain('Date.now()');
  });

  it('gives up on an open quote at the end of its line', () => {
    expect(scan("it's prose\nDate.now();").code).toContain('Date.now()');
  });

  it('hands out comments', () => {
    expect(scan('a; // one\n/* two */ b;').comments.map(({ text }) => text)).toEqual([
      '// one',
      '/* two */',
    ]);
  });
});
