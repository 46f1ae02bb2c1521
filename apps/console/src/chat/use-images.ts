import { useEffect, useRef, useState } from 'react';
import { useToasts } from '@palyra/ui';
import { type Picked, checkImages } from './picked-images.ts';

export interface PickedImage extends Picked {
  readonly file: File;
  /** A `blob:` address, to show what will be sent. */
  readonly url: string;
}

/** The images that go with the next prompt. */
export function useImages() {
  const [images, setImages] = useState<readonly PickedImage[]>([]);
  const toasts = useToasts();
  const shown = useRef<readonly PickedImage[]>([]);
  shown.current = images;
  useEffect(() => () => shown.current.forEach(({ url }) => URL.revokeObjectURL(url)), []);
  return {
    images,
    add: (files: readonly File[]) => {
      try {
        checkImages(images, files);
      } catch (reason) {
        toasts.tellProblem(reason);
        return;
      }
      setImages([...images, ...files.map(pickedImage)]);
    },
    remove: (url: string) => {
      URL.revokeObjectURL(url);
      setImages(images.filter((image) => image.url !== url));
    },
    clear: () => {
      images.forEach(({ url }) => URL.revokeObjectURL(url));
      setImages([]);
    },
  };
}

function pickedImage(file: File): PickedImage {
  const { name, type, size } = file;
  return { file, name, type, size, url: URL.createObjectURL(file) };
}

/** As a request has them. */
export async function readImages(images: readonly PickedImage[]) {
  return await Promise.all(
    images.map(async ({ file, type }) => ({
      mediaType: type,
      data: new Uint8Array(await file.arrayBuffer()),
    })),
  );
}
