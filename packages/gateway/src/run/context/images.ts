import { create } from '@bufbuild/protobuf';
import { type Bytes, PalyraError, quote } from '@palyra/kernel';
import { type ImageNote, ImageNoteSchema } from '@palyra/protocol';
import type { BlobsPort, ModelImage } from '../../ports.ts';
import type { PromptUnit, Unit } from './units.ts';

const MOST_IMAGES = 8;
const MOST_BYTES = 5 * 1024 * 1024;
/** With the prompt it fits into one message to the gateway, and into one request to a provider. */
const MOST_BYTES_TOGETHER = 7 * 1024 * 1024;

/** How a file of each type begins. `undefined` stands for any byte. */
const BEGINNINGS = new Map<string, readonly (readonly (number | undefined)[])[]>([
  ['image/png', [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]],
  ['image/jpeg', [[0xff, 0xd8, 0xff]]],
  ['image/gif', [ascii('GIF87a'), ascii('GIF89a')]],
  [
    'image/webp',
    [[...ascii('RIFF'), ...Array.from({ length: 4 }, () => undefined), ...ascii('WEBP')]],
  ],
]);

/** By how its bytes begin, whatever it is called. Contract: `undefined` for all that no model takes. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const found = [...BEGINNINGS].find(([, beginnings]) =>
    beginnings.some((beginning) => beginsWith(bytes, beginning)),
  );
  return found?.[0];
}

/** Contract: throws INVALID_INPUT for what no model takes, or more of it than may be sent. */
export function checkImages(images: readonly ModelImage[]): void {
  if (images.length > MOST_IMAGES) throw refused(`there are more than ${MOST_IMAGES} images`);
  for (const { mediaType, bytes } of images) {
    if (!BEGINNINGS.has(mediaType)) throw refused(`an image is of the type ${quote(mediaType)}`);
    if (bytes.length > MOST_BYTES) throw refused(`an image is larger than ${MOST_BYTES} bytes`);
    if (imageTypeOf(bytes) !== mediaType) {
      throw refused(`an image is not of its type ${quote(mediaType)}`);
    }
  }
  const together = images.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (together > MOST_BYTES_TOGETHER) {
    throw refused(`the images are larger than ${MOST_BYTES_TOGETHER} bytes together`);
  }
}

/** Contract: resolves when every one of them is kept. */
export async function keepImages(
  images: readonly ModelImage[],
  blobs: BlobsPort,
): Promise<readonly ImageNote[]> {
  const notes: ImageNote[] = [];
  for (const { mediaType, bytes } of images) {
    const sha256 = await blobs.put(bytes);
    notes.push(create(ImageNoteSchema, { mediaType, sha256, size: BigInt(bytes.length) }));
  }
  return notes;
}

/** The newest images of what is told, as many as one prompt may have; those that are gone are left out. */
export async function loadImages(
  units: readonly Unit[],
  blobs: BlobsPort,
): Promise<ReadonlyMap<string, Bytes>> {
  const loaded = new Map<string, Bytes>();
  let room = MOST_BYTES_TOGETHER;
  const prompts = units.filter((unit): unit is PromptUnit => unit.kind === 'prompt');
  for (const { sha256, size } of prompts.toReversed().flatMap(({ images }) => images)) {
    if (loaded.size === MOST_IMAGES) break;
    if (loaded.has(sha256) || size > BigInt(room)) continue;
    const bytes = await blobs.get(sha256, 0, Number(size));
    if (bytes === undefined) continue;
    room -= bytes.length;
    loaded.set(sha256, bytes);
  }
  return loaded;
}

function beginsWith(bytes: Uint8Array, beginning: readonly (number | undefined)[]): boolean {
  return beginning.every((byte, place) => byte === undefined || bytes[place] === byte);
}

function ascii(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function refused(why: string): PalyraError {
  return new PalyraError('INVALID_INPUT', why, {
    help: `${[...BEGINNINGS.keys()].join(', ')}; at most ${MOST_IMAGES}, of 5 MiB each and 7 MiB together`,
  });
}
