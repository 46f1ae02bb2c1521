import { type PalyraClient, createClient, grpcOverSocket, httpOverSocket } from '@palyra/client';

export interface SocketClients {
  readonly grpc: PalyraClient;
  readonly http: PalyraClient;
}

/** A client for each wire that a socket speaks. */
export function socketClients(path: string): SocketClients {
  return { grpc: createClient(grpcOverSocket(path)), http: createClient(httpOverSocket(path)) };
}
