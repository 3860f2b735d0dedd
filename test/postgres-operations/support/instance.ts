import { startChild, type Child } from './child';
import { until } from '../../support/until';

export const ADMIN_TOKEN = 'a-token-for-operators-in-tests';

export interface Instance {
  child: Child;
  base: string;
}

export async function startInstance(databaseUrl: string, port: number): Promise<Instance> {
  const child = startChild('examples/standalone/main.ts', [], {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    ADMIN_TOKEN,
    ADDRESS_RATE_LIMIT: '1000000',
    FAILED_AUTH_LIMIT: '1000000',
    LOG_LEVEL: 'fatal',
  });
  let ended: string | null = null;
  void child.ended.then((how) => (ended = String(how)));
  // Reads the output, because a full pipe would block the process.
  child.onLine(() => undefined);
  const base = `http://127.0.0.1:${port}`;
  await until(
    async () => {
      if (ended !== null) throw new Error(`the instance ended with ${ended}: ${child.errors()}`);
      return child.errors().includes('listening') && (await isReady(base));
    },
    { what: () => `the instance at ${base} ready: ${child.errors()}` },
  );
  return { child, base };
}

export async function isReady(base: string): Promise<boolean> {
  const answer = await fetch(`${base}/ready`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
