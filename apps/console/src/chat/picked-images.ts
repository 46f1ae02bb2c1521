import { PalyraError, quote } from '@palyra/kernel';

/** As the gateway takes them. */
export const MOST_IMAGES = 8;
export const LARGEST_IMAGE = 5 * 1024 ** 2;
export const LARGEST_TOGETHER = 7 * 1024 ** 2;
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Of a file: all that is looked at before it is read. */
export interface Picked {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Contract: throws INVALID_INPUT for the first that cannot be sent together with those there are. */
export function checkImages(there: readonly Picked[], more: readonly Picked[]): void {
  for (const { name, type, size } of more) {
    if (!IMAGE_TYPES.some((known) => known === type)) {
      throw refusal(
        `${quote(name)} is no image that a model can be shown`,
        'PNG, JPEG, GIF and WebP can be',
      );
    }
    if (size > LARGEST_IMAGE)
      throw refusal(`${quote(name)} is larger than 5 MiB`, 'send a smaller one');
  }
  if (there.length + more.length > MOST_IMAGES) {
    throw refusal(
      `more than ${MOST_IMAGES} images cannot be sent at once`,
      'send the others with the next prompt',
    );
  }
  const together = [...there, ...more].reduce((sum, { size }) => sum + size, 0);
  if (together > LARGEST_TOGETHER) {
    throw refusal('the images are larger than 7 MiB together', 'send some with the next prompt');
  }
}

function refusal(message: string, help: string): PalyraError {
  return new PalyraError('INVALID_INPUT', message, { help });
}
