import { PalyraError, type PalyraErrorOptions } from '@palyra/kernel';

/**
 * A key that the command line names and that does not exist. In a file the same code means that the
 * configuration is invalid, which is another end: hence a class of its own.
 */
export class NoSuchKey extends PalyraError {
  constructor(message: string, options: PalyraErrorOptions) {
    super('CONFIG_UNKNOWN_KEY', message, options);
  }
}
