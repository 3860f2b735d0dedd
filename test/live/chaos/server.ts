/**
 * Usage: tsx server.ts <JSON of ServerSettings>. Prints `listening` when the server listens, and warnings on
 * standard error.
 */
import { createServer } from 'node:http';
import express from 'express';
import { liveMarket, type ServerSettings } from './market';

async function main(settings: ServerSettings): Promise<void> {
  const pm = liveMarket(settings);
  const server = createServer(express().use(pm.router));
  pm.attachWebSocket(server);
  await pm.start();
  server.listen(settings.port, '127.0.0.1', () => process.stdout.write('listening\n'));
}

void main(JSON.parse(process.argv[2] ?? '') as ServerSettings);
