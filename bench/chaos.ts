/**
 * `npm run chaos -- --seconds 60 [--seed n]`: two instances and three processes that trade through them. One
 * of the five is killed again and again. It uses the Postgres at TEST_POSTGRES_URL or a temporary one. Ends
 * with 1 when a trade was lost or doubled, an event is missing, or the audit finds a difference.
 */
import { parseArgs } from 'node:util';
import { freshDatabase, startPostgres } from '../test/support/postgres';
import { forSeconds, runChaos } from '../test/postgres-operations/support/chaos';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? Date.now());
if (!(seconds > 0) || !Number.isSafeInteger(seed)) throw new Error('usage: --seconds <n> --seed <integer>');

const server = await startPostgres();
const database = await freshDatabase(server.url);
console.log(`${seconds} s of chaos, seed ${seed}`);
try {
  const report = await runChaos({
    databaseUrl: database.url,
    seed,
    goOn: forSeconds(seconds),
    log: (line) => console.log(line),
  });
  console.log(`books clean: ${JSON.stringify(report)}`);
} finally {
  await database.drop();
  await server.stop();
}
