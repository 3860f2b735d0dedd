/** Makes and stores the epoch of the facts. */
import type { Random } from '../ports/random';
import { newLeaseOwner } from '../usecases/lease-owner';
import { EPOCH_SETTING } from '../usecases/facts/read-facts';
import { SEQUENCER_LEASE, SEQUENCER_LEASE_MS, type SequencerContext } from './sequencer';

type EpochContext = Pick<SequencerContext, 'storage' | 'clock' | 'random'>;

const makeEpoch = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

export function storedEpoch({ storage, random }: EpochContext): Promise<string> {
  const made = makeEpoch(random);
  return storage.transaction(({ settings }) => settings.putIfAbsent(EPOCH_SETTING, made));
}

const INSTANCE_RUNS =
  'the epoch cannot change while another instance runs: stop all instances, and wait ten seconds';

/**
 * Stores a new epoch and returns it. Rejects with the code `INSTANCE_RUNS` while another instance has the lease of
 * the sequencer. An instance without listeners, readers and followers does not keep this lease. So the caller has to
 * make sure that no instance runs.
 */
export async function renewEpoch({ storage, clock, random }: EpochContext): Promise<string> {
  const made = makeEpoch(random);
  const lease = { name: SEQUENCER_LEASE, owner: newLeaseOwner(random) };
  const isStored = await storage.transaction(async ({ settings, leases }) => {
    const now = clock.now();
    if ((await leases.acquire({ ...lease, now, until: now + SEQUENCER_LEASE_MS })) === null) return false;
    await settings.put(EPOCH_SETTING, made);
    await leases.release(lease);
    return true;
  });
  if (!isStored) throw Object.assign(new Error(INSTANCE_RUNS), { code: 'INSTANCE_RUNS' });
  return made;
}
