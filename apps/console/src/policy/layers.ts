import { PolicyLayer } from '@palyra/protocol';

export interface LayerWords {
  readonly layer: PolicyLayer;
  readonly name: string;
  readonly says: string;
}

/** In the order in which they count: what one forbids, those below cannot allow. */
export const LAYERS: readonly LayerWords[] = [
  { layer: PolicyLayer.BUILT_IN, name: 'Built in', says: 'shipped with the gateway' },
  { layer: PolicyLayer.ADMIN, name: 'Admin', says: 'files of root on this machine' },
  { layer: PolicyLayer.OPERATOR, name: 'Operator', says: 'your own; edited here' },
  { layer: PolicyLayer.WORKSPACE, name: 'Workspace', says: 'of the folder; may only forbid' },
];
