import { once } from 'node:events';
import { type Server as HttpServer, createServer as createHttpServer } from 'node:http';
import { type Http2Server, createServer as createHttp2Server } from 'node:http2';
import { type Server, type Socket, createServer } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { type CallHandler, createCallHandler } from '../connect/request-handler.ts';
import type { TransportParts } from '../connect/routes.ts';
import { createPlainRoutes } from '../http/plain-routes.ts';
import type { TransportSettings } from '../transport-section.ts';
import { createDropReport } from './drop-report.ts';
import { awaitSpeech } from './first-bytes.ts';
import { type Sessions, createSessions } from './sessions.ts';
import { listenOn } from './socket-file.ts';

/** How long open calls may take to hear that the daemon stops, before their connections are cut. */
const FAREWELL_MS = 1_000;
/** Timeouts of HTTP/1.1 are looked at this often at least. */
const MOST_CHECKING_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * One unix socket for everything: gRPC over HTTP/2, Connect and plain routes over HTTP/1.1.
 * Contract: the caller holds the store's lock. Disposing ends open calls with SHUTTING_DOWN and
 * resolves when no connection is left.
 */
export async function serveSocket(parts: TransportParts, path: string): Promise<AsyncDisposable> {
  const { settings, log } = parts;
  const shutdown = new AbortController();
  const sessions = createSessions(settings.idle_ms);
  const calls = createCallHandler(parts, shutdown.signal, {
    requestMs: settings.request_ms,
    unreadMs: settings.idle_ms,
    cut: (stream) => sessions.cut(stream),
  });
  const http1 = createHttp1(parts, calls, shutdown.signal);
  const http2 = createHttp2(settings, calls, sessions);
  const sockets = new Set<Socket>();
  const drops = createDropReport(log);

  const door = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', (reason) => log.debug('connection broke', { reason: reason.message }));
    awaitSpeech(socket, settings.first_bytes_ms, (speech) => {
      (speech === 'http2' ? http2 : http1).emit('connection', socket);
      if (speech === 'http1') socket.resume();
    });
  });
  door.maxConnections = settings.max_connections;
  door.on('drop', () => drops.dropped());
  await listenOn(door, path);

  return {
    async [Symbol.asyncDispose]() {
      const closed = closeDoor(door);
      shutdown.abort(new PalyraError('SHUTTING_DOWN', 'the daemon is stopping'));
      http1.closeIdleConnections();
      sessions.closeAll();
      const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), FAREWELL_MS);
      await closed;
      clearTimeout(cut);
      drops[Symbol.dispose]();
      // Ends its timers; it never listened, so it has nothing else to close.
      http1.close();
    },
  };
}

function createHttp1(parts: TransportParts, calls: CallHandler, shutdown: AbortSignal): HttpServer {
  const { settings } = parts;
  const plain = createPlainRoutes(parts);
  const server = createHttpServer(
    {
      headersTimeout: settings.headers_ms,
      connectionsCheckingInterval: Math.min(settings.headers_ms, MOST_CHECKING_MS),
      requestTimeout: Math.max(settings.request_ms, settings.headers_ms),
      keepAliveTimeout: settings.idle_ms,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (request, response) => {
      // Once the daemon stops, no answer leaves a connection open for another question.
      response.once('close', () => {
        if (shutdown.aborted) request.socket.end();
      });
      if (!calls(request, response)) plain(request, response);
    },
  );
  // Connections are handed to this server and it never listens itself; Node starts the timer
  // that enforces the timeouts above only when it hears this event.
  server.emit('listening');
  return server;
}

function createHttp2(
  settings: TransportSettings,
  calls: CallHandler,
  sessions: Sessions,
): Http2Server {
  const server = createHttp2Server(
    {
      maxHeaderListPairs: 64,
      settings: {
        enablePush: false,
        maxConcurrentStreams: settings.max_streams,
        maxHeaderListSize: MAX_HEADER_BYTES,
      },
    },
    (request, response) => {
      if (calls(request, response)) return;
      response.writeHead(404).end();
    },
  );
  server.on('session', (session) => sessions.add(session));
  return server;
}

async function closeDoor(door: Server): Promise<void> {
  const closed = once(door, 'close');
  door.close();
  await closed;
}
