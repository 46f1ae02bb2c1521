import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { PalyraError } from '@palyra/kernel';

/** What the daemon takes of one image at most; a larger file is not even read. */
const MAX_IMAGE_BYTES = 5 * 1024 ** 2;
const MAX_IMAGES = 8;
const MAX_BYTES_TOGETHER = 7 * 1024 ** 2;

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
]);

export interface PromptImage {
  readonly mediaType: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The images that go with a prompt, from files that a person named. */
export async function readImages(paths: readonly string[]): Promise<readonly PromptImage[]> {
  if (paths.length > MAX_IMAGES) {
    throw new PalyraError('INVALID_INPUT', `${paths.length} images are more than ${MAX_IMAGES}`);
  }
  const images = await Promise.all(paths.map(readImage));
  const bytes = images.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > MAX_BYTES_TOGETHER) {
    const message = `the images have ${bytes} bytes together, more than ${MAX_BYTES_TOGETHER}`;
    throw new PalyraError('INVALID_INPUT', message, { help: 'make them smaller, or send fewer' });
  }
  return images;
}

async function readImage(path: string): Promise<PromptImage> {
  const mediaType = MEDIA_TYPES.get(extname(path).toLowerCase());
  if (mediaType === undefined) {
    const help = `name a file that ends in ${[...MEDIA_TYPES.keys()].join(', ')}`;
    throw new PalyraError('INVALID_INPUT', `\`${path}\` is not known as an image`, { help });
  }
  await using file = await openImage(path);
  const stat = await file.stat();
  if (!stat.isFile()) throw new PalyraError('INVALID_INPUT', `\`${path}\` is not a file`);
  if (stat.size > MAX_IMAGE_BYTES) {
    const message = `\`${path}\` is larger than ${MAX_IMAGE_BYTES} bytes`;
    throw new PalyraError('INVALID_INPUT', message, { help: 'make it smaller' });
  }
  return { mediaType, data: new Uint8Array(await file.readFile()) };
}

async function openImage(path: string): Promise<FileHandle> {
  try {
    // Of a pipe that nobody writes to, opening would wait for ever.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const help = 'check the path, and whether you may read it';
    throw new PalyraError('INVALID_INPUT', `cannot open \`${path}\``, { cause, help });
  }
}
