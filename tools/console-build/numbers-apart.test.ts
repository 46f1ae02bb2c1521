import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../run.ts';
import { enumsIn } from './numbers-apart.ts';

const GENERATED = join(ROOT, 'packages/protocol/src/gen/palyra/v1');

it('finds every enum that the generator has written', () => {
  for (const name of readdirSync(GENERATED)) {
    const source = readFileSync(join(GENERATED, name), 'utf8');
    const described = [...source.matchAll(/^export const (\w+)Schema: GenEnum</gm)];
    expect(enumsIn(source).map((found) => found.name)).toEqual(described.map(([, each]) => each));
  }
});
