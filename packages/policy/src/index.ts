export {
  EMPTY_POLICY_SET_HASH,
  type Judgement,
  type PolicyEngine,
  denyEverything,
} from './deny-everything.ts';
