/** What Landlock knows of files, as the kernel numbers it. */
const BITS = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  removeFolder: 1 << 4,
  removeFile: 1 << 5,
  makeCharDevice: 1 << 6,
  makeFolder: 1 << 7,
  makeFile: 1 << 8,
  makeSocket: 1 << 9,
  makeFifo: 1 << 10,
  makeBlockDevice: 1 << 11,
  makeLink: 1 << 12,
  refer: 1 << 13,
  truncate: 1 << 14,
  deviceCommands: 1 << 15,
} as const;

/** How much of a place a command gets. */
export type Grant =
  /** The names in it, and in what is below it. */
  | 'list'
  | 'read'
  | 'read-run'
  /** A device that takes everything. */
  | 'read-write'
  /** A file: its content, and it may be run. */
  | 'file'
  /** A folder with everything below it. */
  | 'folder';

const READ_RUN = BITS.readFile | BITS.readFolder | BITS.execute;
const FILE = BITS.readFile | BITS.writeFile | BITS.truncate | BITS.execute;

const GRANTS: Readonly<Record<Grant, number>> = {
  list: BITS.readFolder,
  read: BITS.readFile | BITS.readFolder,
  'read-run': READ_RUN,
  'read-write': BITS.readFile | BITS.writeFile,
  file: FILE,
  folder:
    FILE |
    BITS.readFolder |
    BITS.removeFolder |
    BITS.removeFile |
    BITS.makeFolder |
    BITS.makeFile |
    BITS.makeFifo |
    BITS.makeLink |
    BITS.refer,
};

/** What the kernel takes for something that is no folder. */
const OF_FILES = FILE | BITS.deviceCommands;

export function rightsOf(grant: Grant, kind: 'folder' | 'other'): number {
  return kind === 'folder' ? GRANTS[grant] : GRANTS[grant] & OF_FILES;
}

/** Everything that is refused unless a rule gives it. */
export const ALL_FILES = Object.values(BITS).reduce((all, bit) => all | bit, 0);
/** To bind and to connect a port: no rule gives it. */
export const ALL_PORTS = 0b11;
/** Sockets without a name in the file system, and signals: those of the cage alone. */
export const ALL_SCOPES = 0b11;
