import { type Server as HttpServer, createServer as createHttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { NodeRequest, NodeResponse } from '../connect/patience.ts';
import type { TransportSettings } from '../transport-section.ts';
import { http2 } from './late-http2.ts';

export type Answer = (request: NodeRequest, response: NodeResponse) => void;

/** Timeouts of HTTP/1.1 are looked at this often at least. */
const MOST_CHECKING_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

/** Contract: listens nowhere; connections are handed to it. */
export function createHttp1(
  settings: TransportSettings,
  answer: Answer,
  shutdown: AbortSignal,
): HttpServer {
  const server = createHttpServer(
    {
      headersTimeout: settings.headers_ms,
      connectionsCheckingInterval: Math.min(settings.headers_ms, MOST_CHECKING_MS),
      requestTimeout: Math.max(settings.request_ms, settings.headers_ms),
      keepAliveTimeout: settings.idle_ms,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (request, response) => {
      const { socket } = request;
      // Once the daemon stops, no answer leaves a connection open for another question.
      response.on('close', () => {
        if (shutdown.aborted) socket.end();
      });
      answer(request, response);
    },
  );
  // Node starts the timer that enforces the timeouts above only when it hears this event.
  server.emit('listening');
  return server;
}

/** Contract: listens nowhere; connections are handed to it. */
export function createHttp2(
  settings: Pick<TransportSettings, 'max_streams'>,
  answer: Answer,
): Http2Server {
  return http2().createServer(
    {
      maxHeaderListPairs: 64,
      settings: {
        enablePush: false,
        maxConcurrentStreams: settings.max_streams,
        maxHeaderListSize: MAX_HEADER_BYTES,
      },
    },
    answer,
  );
}
