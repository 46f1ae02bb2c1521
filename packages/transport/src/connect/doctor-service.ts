import type { ServiceImpl } from '@connectrpc/connect';
import type { DoctorFlows } from '@palyra/gateway';
import type { DoctorService } from '@palyra/protocol';

export function doctorService(doctor: DoctorFlows): ServiceImpl<typeof DoctorService> {
  return { diagnose: () => doctor.diagnose() };
}
