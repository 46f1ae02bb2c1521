import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolNames, wireName } from './names.ts';

describe('the name of a tool on the wire', () => {
  it.each([
    ['fs.read', 'fs_read'],
    ['a.b.c', 'a_b_c'],
    ['fs_read', 'fs-uread'],
    ['create-issue', 'create-dissue'],
    ['a b', 'a-x20-b'],
    ['größe', 'gr-xf6--xdf-e'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('of %j is %j', (tool, wire) => {
    expect(wireName(tool)).toBe(wire);
    expect(toolNames([])(wire)).toBe(tool);
  });

  it.each(['', '1a', '-', '_', 'x'.repeat(65), 'ü'.repeat(40)])('of %j is allowed', (tool) => {
    expect(wireName(tool)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    expect(toolNames([{ name: tool }])(wireName(tool))).toBe(tool);
  });

  it('is allowed everywhere, leads back, and is shared by no two tools', () => {
    const name = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', 'u', 'd', 'h', 'x', '_', '-', '.', '2'),
        maxLength: 8,
      }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const wires = names.map(wireName);
        const toolOf = toolNames(names.map((each) => ({ name: each })));
        const isAllowed = wires.every((wire) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(wire));
        const leadsBack = wires.every((wire, place) => toolOf(wire) === names[place]);
        return isAllowed && leadsBack && new Set(wires).size === names.length;
      }),
      { numRuns: 200 },
    );
  });

  it.each(['', 'a-', 'a-z', 'a-x-b', 'a-x110000-b', 'a-x0041-b', 'fs.read', 'a b', '💥'])(
    'that a model made up stays as it is: %j',
    (wire) => {
      expect(toolNames([{ name: 'fs.read' }])(wire)).toBe(wire);
    },
  );
});
