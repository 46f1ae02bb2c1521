export {
  type ConsoleBrowser,
  type ConsoleKey,
  type ConsoleOpening,
  makeConsoleKey,
  openConsoleBrowser,
} from './console-browser.ts';
export {
  type DeviceClients,
  type DevicePairing,
  type PairedDevice,
  deviceClients,
  pairDevice,
  pairedDevice,
} from './device-clients.ts';
export {
  approverThatSays,
  deskWithoutModels,
  deskWithoutRules,
  endlessModel,
  policyThatSays,
  rememberingSandbox,
  talkingModel,
  workspaceCalled,
} from './fakes.ts';
export { FIXED_NOW, fixedClock } from './fixed-clock.ts';
export { hostProgram } from './host-program.fixture.ts';
export { inProcessClient, strangersClient, testTransportParts } from './in-process-client.ts';
export { consoleOf, ownClient } from './own-client.ts';
export { ownerCaller } from './owner-caller.ts';
export { type LogLine, type QuietLog, quietLog } from './quiet-log.ts';
export { type Random, randomFrom } from './random-from.ts';
export { shippedRules } from './shipped-rules.ts';
export { type Saying, SoftwareAuthenticator } from './software-authenticator.ts';
export { type TempHome, tempHome } from './temp-home.ts';
export {
  type CertificateWish,
  type TestAuthority,
  type TestCertificate,
  testAuthority,
} from './test-authority.ts';
export { type TestChoice, type TestGateway, testGateway } from './test-gateway.ts';
export { type Verifies, verifies } from './verifies.ts';
