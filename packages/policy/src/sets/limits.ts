/** In one layer. */
export const MAX_FILES = 128;
export const MAX_FILE_BYTES = 256 * 1024;
/** All layers but the workspace's together: a set is kept as one record of the store. */
export const MAX_SET_BYTES = 1024 * 1024;
export const MAX_RULES = 2000;
/** Of its own, so that a workspace cannot use up what people need. */
export const MAX_WORKSPACE_FILES = 32;
export const MAX_WORKSPACE_BYTES = 128 * 1024;
export const MAX_WORKSPACE_RULES = 200;
/** In a directory, of whatever kind: names are read before anything can be said of them. */
export const MAX_NAMES = 4096;
export const MAX_RULE_BYTES = 16 * 1024;
/** What Cedar reads as JSON may be nested 128 levels deep, with what stands around a rule. */
export const MAX_RULE_LEVELS = 100;
/** More brackets in one another than about 130 end Cedar's parser, not just its parsing. */
export const MAX_BRACKETS = 50;
/** And more operators than this many in one rule, each around those before it, come near to it. */
export const MAX_OPERATORS = 400;
/** Of one `like` that has a `*`, in characters: what it takes grows with them, for each of the text's. */
export const MAX_PATTERN = 256;
/** Of all of those in the layers of people, and in a workspace. */
export const MAX_PATTERNS = 32 * 1024;
export const MAX_WORKSPACE_PATTERNS = 2048;
/** Of a refusal: whoever has mended these asks again. */
export const MAX_PROBLEMS = 100;
/** Of a reason or a way out, in characters. */
export const MAX_PROBLEM_TEXT = 400;
