import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';

/** A Node server that can accept WebSockets. */
export type AttachableServer = Server | SecureServer;
