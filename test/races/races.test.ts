import { onEachStorage, type StorageGround } from '../support/storages';
import { exposureRaces } from './support/exposure-races';
import { keyRaces } from './support/key-races';
import { moneyRaces } from './support/money-races';
import { createRaceWorld, type RaceWorld } from './support/world';

function races({ create }: StorageGround, instances: number): void {
  let world: RaceWorld;
  beforeAll(async () => {
    world = await createRaceWorld(await create(), { instances });
  });
  afterAll(() => world.close());

  keyRaces(() => world);
  moneyRaces(() => world);
  exposureRaces(create, instances);
}

onEachStorage('Races in one instance', (ground) => races(ground, 1));
// A memory storage lives in one process, so no second instance can use the storage.
onEachStorage('Races over two instances', (ground) => races(ground, 2), ['sqlite', 'postgres']);
