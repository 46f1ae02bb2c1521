import { type RefObject, useLayoutEffect, useState } from 'react';

/** Pixels, as the rows are written; measuring each of them would cost a layout per row. */
export const ROW_HEIGHTS = { wide: 37, narrow: 57 } as const;
/** From here on a row has room for all of it on one line. */
const WIDE_FROM = 768;

export type RowShape = keyof typeof ROW_HEIGHTS;

export function useRowShape(box: RefObject<HTMLElement | null>): RowShape {
  const [shape, setShape] = useState<RowShape>('wide');
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setShape(element.clientWidth >= WIDE_FROM ? 'wide' : 'narrow');
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return shape;
}
