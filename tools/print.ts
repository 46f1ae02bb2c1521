/** The one place where the tools speak. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
