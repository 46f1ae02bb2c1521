import { EXIT } from './exit-codes.ts';

const NODE_MAJOR = '26';

async function main(): Promise<void> {
  const version = process.versions.node;
  if (version.split('.', 1)[0] !== NODE_MAJOR) {
    process.stderr.write(
      `palyrad: this is Node ${version} and Palyra is made for Node ${NODE_MAJOR}; start it with \`./palyra\`, which brings the right one\n`,
    );
    process.exit(EXIT.wrongRuntime);
  }
  // Whatever this process makes is for its owner alone, before anything else has a say.
  process.umask(0o077);
  const { run } = await import('./program.ts');
  process.exit(await run(process.argv.slice(2), { ...process.env }));
}

void main();
