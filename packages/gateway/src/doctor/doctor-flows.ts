import { create } from '@bufbuild/protobuf';
import type { Clock } from '@palyra/kernel';
import { type DiagnoseResponse, DiagnoseResponseSchema } from '@palyra/protocol';
import type { DoctorDesk } from './ports.ts';

/** The daemon's health as people ask for it. */
export class DoctorFlows {
  readonly #desk: DoctorDesk;
  readonly #clock: Clock;
  #looking: Promise<DiagnoseResponse> | undefined;

  constructor(desk: DoctorDesk, clock: Clock) {
    this.#desk = desk;
    this.#clock = clock;
  }

  /** Contract: it is looked once for however many ask at once. */
  diagnose(): Promise<DiagnoseResponse> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<DiagnoseResponse> {
    const findings = await this.#desk.examine();
    return create(DiagnoseResponseSchema, {
      findings: [...findings],
      examinedAt: this.#clock.now().toISOString(),
    });
  }
}
