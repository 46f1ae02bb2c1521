/** A command line that says nothing we know. It becomes an INVALID_INPUT where errors are shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}
