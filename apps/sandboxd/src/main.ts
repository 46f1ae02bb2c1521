import { compose } from './compose.ts';

/** sysexits.h calls this a wrong usage. */
const EXIT_USAGE = 64;

async function main(): Promise<number> {
  if (process.send === undefined || !process.connected) {
    process.stderr.write(
      'sandboxd: the part of Palyra that makes sandboxes; `palyrad` starts it, and nobody else speaks to it\n',
    );
    return EXIT_USAGE;
  }
  // What commands make in a workspace is no secret of ours, and others may have to read it.
  process.umask(0o022);
  await compose(process);
  return 0;
}

void main().then((code) => process.exit(code));
