export { readRequest } from './authority/issue.ts';
export type { Caller, CallerMember, Channel, Standing } from './caller.ts';
export type { DoorPlace } from './door/door.ts';
export {
  createIdentity,
  type Identity,
  type IdentityAuthorities,
  type IdentityParts,
} from './identity.ts';
export { type IdentitySettings, identitySection } from './identity-section.ts';
export { readBeginRequest } from './pairing/begin-request.ts';
export type { PeopleAction, PeopleMatter, PeopleRules } from './people-rules.ts';
export { isTokenText } from './registry/token-text.ts';
