import { useEffect, useRef } from 'react';
import { useKeys } from '../app/use-keys.ts';
import type { Row } from './row.ts';

export function rowElementId({ hash }: Row): string {
  return `entry-${hash}`;
}

/** `j` and `k` lead from row to row; Enter opens the one that has the focus. */
export function useRowKeys(rows: readonly Row[], show: (index: number) => void): void {
  const at = useRef<string>(undefined);
  const wanted = useRef<string>(undefined);
  useKeys(({ key }) => {
    const step = { j: 1, k: -1 }[key];
    if (step === undefined || rows.length === 0) return;
    const from = rows.findIndex((row) => row.hash === at.current);
    const next = Math.min(Math.max(from + step, 0), rows.length - 1);
    const row = rows[next];
    if (row === undefined) return;
    at.current = row.hash;
    wanted.current = rowElementId(row);
    show(next);
    focusWanted(wanted);
  });
  // A row that was far away is there only after the list has been drawn again.
  useEffect(() => focusWanted(wanted));
}

function focusWanted(wanted: { current: string | undefined }): void {
  if (wanted.current === undefined) return;
  const element = document.getElementById(wanted.current);
  if (element === null) return;
  element.focus({ preventScroll: true });
  wanted.current = undefined;
}
