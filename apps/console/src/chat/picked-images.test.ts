import { describe, expect, it } from 'vitest';
import { LARGEST_IMAGE, checkImages } from './picked-images.ts';

const image = (size = 10, type = 'image/png') => ({ name: 'a.png', type, size });

describe('images for a prompt', () => {
  it('are taken within their bounds', () => {
    expect(() => checkImages([image()], [image(), image(LARGEST_IMAGE)])).not.toThrow();
  });

  it.each([
    ['of another kind', [], [image(10, 'image/svg+xml')], 'is no image'],
    ['too large', [], [image(LARGEST_IMAGE + 1)], 'larger than 5 MiB'],
    ['too many', Array.from({ length: 8 }, () => image()), [image()], 'more than 8'],
    [
      'too large together',
      [image(LARGEST_IMAGE)],
      Array.from({ length: 3 }, () => image(LARGEST_IMAGE)),
      '7 MiB together',
    ],
  ])('are refused when they are %s', (_name, there, more, says) => {
    expect(() => checkImages(there, more)).toThrow(says);
  });
});
