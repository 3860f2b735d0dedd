import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket } from 'ws';
import { memoryStorage } from '../../../adapters/storage/memory';
import type { LiveConnection } from '../../../src/client/live/open-live';
import type { SocketClass } from '../../../src/client/live/socket';
import { API, createMarket, startService, wallet, type Service } from '../../http/support/service';

export interface Servers {
  instances: readonly Service[];
  address: string;
  markets: readonly [number, number];
  traderKey: string;
  trade(instance: Service, market: number): Promise<void>;
  cut(): void;
  /**
   * A new connection goes to the instance with the index `pick()`. Sockets fail to open while `hasSockets()` is false.
   */
  connection(pick: () => number, hasSockets: () => boolean): LiveConnection;
  stop(): Promise<void>;
}

const trader = wallet(911);
const creator = wallet(912);
/** A placeholder address, which `connection` replaces by the address of an instance. */
const NOWHERE = 'http://service.invalid';

/** The client's timers of these lengths never fire in these tests. */
const PATIENCE_MS = [5_000, 50_000];

export async function startServers(): Promise<Servers> {
  const storage = memoryStorage();
  const nothing = async (): Promise<void> => undefined;
  const shared = { ...storage, open: nothing, close: nothing };
  const instances = [await startService({ storage }), await startService({ storage: shared })];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  for (const { app, pm } of instances) {
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    pm.attachWebSocket(server);
    servers.push(server);
  }
  const [first] = instances;
  if (first === undefined) throw new Error('There is no instance');
  const markets = [await createMarket(first, creator), await createMarket(first, creator)] as const;
  await first.fund(trader, 1_000_000);
  const traderKey = await first.issueKey(trader);

  function addressOf(index: number): string {
    return `127.0.0.1:${String((servers[index % servers.length]?.address() as AddressInfo).port)}`;
  }

  return {
    instances,
    address: `http://${addressOf(0)}`,
    markets,
    traderKey,
    async trade({ pm }, market) {
      await pm.placeTrade({ wallet: trader.address, market, side: 'YES', amount: 1 });
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    connection(pick, hasSockets) {
      const away = (address: string): string => address.replace(new URL(NOWHERE).host, addressOf(pick()));
      const socketClass = function (address: string): WebSocket {
        if (!hasSockets()) throw new Error('There is no socket here');
        return new WebSocket(away(address));
      } as unknown as SocketClass;
      return {
        apiUrl: NOWHERE + API,
        socketClass,
        fetch: (address, init) => fetch(away(address as string), init),
        timers: {
          after(milliseconds, callback) {
            if (PATIENCE_MS.includes(milliseconds)) return () => undefined;
            const timer = setImmediate(callback);
            return () => clearImmediate(timer);
          },
        },
        random: () => 0,
      };
    },
    async stop() {
      for (const service of [...instances].reverse()) await service.close();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
