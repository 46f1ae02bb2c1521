export { type PalyraClient, createClient } from './client.ts';
export { grpcOverSocket, httpOverSocket } from './socket-transports.ts';
