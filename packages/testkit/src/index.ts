export {
  approverThatSays,
  endlessModel,
  policyThatSays,
  rememberingSandbox,
  talkingModel,
} from './fakes.ts';
export { FIXED_NOW, fixedClock } from './fixed-clock.ts';
export { inProcessClient, testTransportParts } from './in-process-client.ts';
export { type LogLine, type QuietLog, quietLog } from './quiet-log.ts';
export { type Random, randomFrom } from './random-from.ts';
export { type SocketClients, socketClients } from './socket-clients.ts';
export { type TempHome, tempHome } from './temp-home.ts';
export { type TestGateway, testGateway } from './test-gateway.ts';
export { type Verifies, verifies } from './verifies.ts';
