/** Of what the daemon and the process that makes sandboxes say to one another (messages.ts). */

/** Runs that are under way at once; more wait, and more than that are refused. */
export const MAX_RUNS = 64;
export const MAX_WAITING = 256;
/** Of one piece of output on its way; longer ones are cut. */
export const MAX_PIECE_BYTES = 1024 * 1024;
/** Of one piece of input on its way; longer ones are sent as several. */
export const MAX_INPUT_BYTES = 64 * 1024;
