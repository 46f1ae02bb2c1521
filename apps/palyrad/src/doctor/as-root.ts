/** A command that only root may give, as whoever reads this has to type it. */
export function asRoot(command: string, userId = process.getuid?.()): string {
  return userId === 0 ? command : `sudo ${command}`;
}
