declare module 'vitest' {
  interface TaskMeta {
    /** Ids of the promises that this test proves; tests/requirements.ts has their words. */
    readonly verifies?: readonly string[];
  }
}

export interface Verifies {
  readonly meta: { readonly verifies: readonly string[] };
}

/**
 * Cites the promises that a test proves, as the second argument of `it` or `describe`. The ids
 * travel with the result of the test, so a promise counts as kept only when its test ran and passed.
 */
export function verifies(...ids: readonly [string, ...string[]]): Verifies {
  return { meta: { verifies: ids } };
}
