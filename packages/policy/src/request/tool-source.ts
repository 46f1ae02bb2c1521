/** What a call is from whose tool nobody has declared. */
export const UNDECLARED = 'unknown';
/** Where declared tools come from, or will. */
export const DECLARED_SOURCES: readonly string[] = ['built-in', 'skill', 'mcp'];

export const TOOL_SOURCES: readonly string[] = [...DECLARED_SOURCES, UNDECLARED];
