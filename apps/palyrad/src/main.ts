const NODE_MAJOR = '26';
const WRONG_RUNTIME_EXIT = 78;

async function main(): Promise<void> {
  if (process.versions.node.split('.', 1)[0] !== NODE_MAJOR) {
    process.stderr.write(
      `palyrad needs Node ${NODE_MAJOR} and was started with ${process.versions.node}: start it with \`./palyra up\`\n`,
    );
    process.exit(WRONG_RUNTIME_EXIT);
  }
  // Whatever this process makes is for its owner alone, before anything else has a say.
  process.umask(0o077);
  const { run } = await import('./program.ts');
  process.exit(await run(process.argv.slice(2), { ...process.env }));
}

void main();
