export { type HealthFacts, type MissingPartFact } from './connect/health-service.ts';
export { type TransportParts, routerOptions, routes } from './connect/routes.ts';
export { type LoopDelay, type LoopDelayMeter, createLoopDelayMeter } from './loop-delay.ts';
export { type Readiness, type ReadinessPhase, createReadiness } from './readiness.ts';
export { serveSocket } from './socket/socket-server.ts';
export { type TransportSettings, transportSection } from './transport-section.ts';
