import { REPORT } from '../starter/starter-elf.ts';

/** Where the sandbox finds its streams: bwrap itself keeps none above 2 open. */
export const STREAMS = { stdin: 3, stdout: 4, stderr: 5 } as const;
/** Where the program is, inside, that waits, starts the command and tells what became of it. */
export const STARTER = '/.start';

/** One byte each, before the four of the report: that it waits, and that it has begun with its command. */
export const READY = 'R';
export const BEGUN = 'B';

/** The first line that a waiting shell gets: it takes its own streams and says that it is ready. */
export const READY_LINE = `exec 1>&${STREAMS.stdout} 2>&${STREAMS.stderr} ${STREAMS.stdout}>&- ${STREAMS.stderr}>&-; printf ${READY} >&${REPORT}\n`;
