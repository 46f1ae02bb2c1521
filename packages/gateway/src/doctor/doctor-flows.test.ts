import { systemClock } from '@palyra/kernel';
import type { DoctorFinding } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { DoctorFlows } from './doctor-flows.ts';

it('is examined once for all who ask at once, and anew for the next', async () => {
  const examinations: PromiseWithResolvers<readonly DoctorFinding[]>[] = [];
  const examine = () => {
    const next = Promise.withResolvers<readonly DoctorFinding[]>();
    examinations.push(next);
    return next.promise;
  };
  const doctor = new DoctorFlows({ examine }, systemClock());
  const both = Promise.all([doctor.diagnose(), doctor.diagnose()]);
  examinations[0]?.resolve([]);
  const [first, second] = await both;
  expect(second).toBe(first);
  const next = doctor.diagnose();
  examinations[1]?.resolve([]);
  await next;
  expect(examinations).toHaveLength(2);
});
