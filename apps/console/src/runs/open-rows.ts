import { createContext, use, useMemo, useState } from 'react';

/** Which rows are open. Kept by the list: a row that is scrolled away is not there to remember it. */
export interface OpenRows {
  isOpen(key: string): boolean | undefined;
  set(key: string, isOpen: boolean): void;
}

export const OpenRowsContext = createContext<OpenRows>({ isOpen: () => undefined, set() {} });

export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map());
  return useMemo(
    () => ({
      isOpen: (key) => open.get(key),
      set: (key, isOpen) => setOpen((old) => new Map(old).set(key, isOpen)),
    }),
    [open],
  );
}

export interface Opening {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function useOpening(key: string, isOpenAtFirst = false): Opening {
  const rows = use(OpenRowsContext);
  const isOpen = rows.isOpen(key) ?? isOpenAtFirst;
  return { isOpen, toggle: () => rows.set(key, !isOpen) };
}
