/**
 * Tests that kill, stop or restart Redis call `startRedis`, because other tests may use the server at
 * TEST_REDIS_URL.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { freePort } from './free-port';
import { until } from './until';

export interface SharedRedis {
  readonly url: string;
  command(name: string, ...values: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RedisServer extends SharedRedis {
  kill(): Promise<void>;
  /** The server comes back empty, on the same port. */
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
}

/**
 * `location` is an address or the path of redis-server. Other tests may use the server at an address, so use keys
 * with `freshPrefix`.
 */
export async function openRedis(location: string): Promise<SharedRedis> {
  if (!/^rediss?:/.test(location)) return startRedis(location);
  return {
    url: location,
    command: (name, ...values) => askOnce(location, name, values),
    stop: () => Promise.resolve(),
  };
}

let prefixes = 0;
export function freshPrefix(): string {
  prefixes += 1;
  return `test-${String(process.pid)}-${Date.now().toString(36)}-${String(prefixes)}:`;
}

export async function startRedis(program: string, settings: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${String(port)}`;
  let child: ChildProcess | null = null;

  async function launch(): Promise<void> {
    const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn(program, [...fixed, ...settings], { stdio: 'ignore' });
    try {
      await until(() => accepts(port));
    } catch (error) {
      await kill();
      throw error;
    }
  }

  async function kill(): Promise<void> {
    const victim = child;
    child = null;
    if (victim === null) return;
    const exited = once(victim, 'exit');
    victim.kill('SIGKILL');
    await exited;
  }

  await launch();
  return {
    url,
    command: (name, ...values) => askOnce(url, name, values),
    kill,
    restart: async () => {
      await kill();
      await launch();
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: kill,
  };
}

async function askOnce(url: string, name: string, values: readonly string[]): Promise<unknown> {
  const client = new Redis(url, {
    lazyConnect: true,
    disconnectTimeout: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(name, ...values);
  } finally {
    client.disconnect();
  }
}

/** A server that accepts connections also answers, because a new server has no data to load. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
