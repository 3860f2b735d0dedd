import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';

/** A server of Node whose sockets can be taken for WebSockets. */
export type AttachableServer = Server | SecureServer;
