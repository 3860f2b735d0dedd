/** What a storage has to have: its functions, its repositories and their methods. */
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';

/** The name of the test that lists what is missing. */
export const COMPLETE = 'has every repository with every method';

const FUNCTIONS = ['open', 'close', 'ping', 'read', 'snapshot', 'transaction'] as const;
const ENTRANCES = ['read', 'snapshot', 'transaction'] as const;

type Entrance = (typeof ENTRANCES)[number];
type Repositories = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/**
 * Everything that the storage lacks: functions such as `snapshot`, repositories such as `markets (transaction)`, and
 * methods such as `trades.listByMarket (read, snapshot)`.
 */
export async function missingMembers(storage: Storage): Promise<string[]> {
  const functions = FUNCTIONS.filter((name) => typeof storage[name] !== 'function');
  const places = new Map<string, Entrance[]>();
  for (const entrance of ENTRANCES.filter((name) => typeof storage[name] === 'function'))
    for (const member of await missingFrom(storage, entrance))
      places.set(member, [...(places.get(member) ?? []), entrance]);
  return [...functions, ...[...places].map(([member, where]) => `${member} (${where.join(', ')})`)];
}

async function missingFrom(storage: Storage, entrance: Entrance): Promise<string[]> {
  const wanted = await wantedOf(entrance);
  return storage[entrance](async (given: unknown) => {
    if (typeof given !== 'object' || given === null) return ['an argument for the work'];
    const repositories = given as Repositories;
    return [...wanted].flatMap(([name, methods]) => {
      const repository = repositories[name];
      if (typeof repository !== 'object') return [name];
      const absent = methods.filter((method) => typeof repository[method] !== 'function');
      return absent.map((method) => `${name}.${method}`);
    });
  });
}

/** The repositories of the port with their methods. The memory storage has each of them and nothing else. */
async function wantedOf(entrance: Entrance): Promise<ReadonlyMap<string, readonly string[]>> {
  const complete = memoryStorage();
  await complete.open({ logger: silentLogger });
  return complete[entrance](
    async (repositories: object) =>
      new Map(
        Object.entries(repositories).map(([name, repository]) => [name, Object.keys(repository as object)]),
      ),
  );
}
