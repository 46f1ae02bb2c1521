import type { DoctorFinding } from '@palyra/protocol';

/** Whoever can look at the daemon's health. */
export interface DoctorDesk {
  /** In the order in which one would mend things. Contract: never rejects; changes nothing. */
  examine(): Promise<readonly DoctorFinding[]>;
}
