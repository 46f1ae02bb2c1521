export interface WindowsVerdict {
  readonly isProven: false;
  readonly reason: string;
  readonly tierC: 'refused';
}

/** Nothing of a job object's keeps a process from files or the network: there is nothing to be proven. */
export function probe(): WindowsVerdict {
  return { isProven: false, reason: 'not proven on this machine', tierC: 'refused' };
}
