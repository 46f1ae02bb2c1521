import { fileURLToPath } from 'node:url';

/** Where the build of the console lies: beside the programs' folder, also when sources run directly. */
export const CONSOLE_BUILD = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/console' : '../console',
    import.meta.url,
  ),
);
