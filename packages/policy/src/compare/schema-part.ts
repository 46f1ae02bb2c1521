import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';

/**
 * The schema with the groups of actions, and of the others only these: for them it is the same, and
 * Cedar takes most of its time to read those that nobody asks about.
 */
export function schemaPart(
  schema: SchemaJson<string>,
  actions: ReadonlySet<string>,
): SchemaJson<string> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, space]) => {
      const needed = Object.entries(space.actions).filter(
        ([action, { appliesTo }]) => actions.has(action) || !appliesTo?.principalTypes.length,
      );
      return [name, { ...space, actions: Object.fromEntries(needed) }];
    }),
  );
}
