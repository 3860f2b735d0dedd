import { parkedFactView, type ConsumerListView, type ConsumerView } from '../../views/consumer';
import type { ParkedFactListView } from '../../views/consumer';
import { isoTime } from '../../views/format';
import type { ListParkedFactsCommand } from '../commands';
import type { Context } from '../context';
import { consumerStates, type ConsumerState } from './consumer-states';
import { noSuchConsumer } from './no-such-consumer';

export async function listConsumers({ storage, clock }: Context): Promise<ConsumerListView> {
  const states = await storage.read(consumerStates);
  return { consumers: states.map((state) => consumerView(state, clock.now())) };
}

/** Lists the parked facts of a consumer, ascending by `seq`. Rejects with NOT_FOUND. */
export async function listParkedFacts(
  { storage }: Context,
  { name, limit, offset }: ListParkedFactsCommand,
): Promise<ParkedFactListView> {
  return storage.read(async (reader) => {
    if ((await reader.consumers.find(name)) === null) throw noSuchConsumer();
    const { parked, total } = await reader.consumers.listParked({ consumer: name, limit, offset });
    return { parked: parked.map(parkedFactView), total, limit, offset };
  });
}

/** Rejects with NOT_FOUND. */
export async function getConsumer({ storage, clock }: Context, name: string): Promise<ConsumerView> {
  const states = await storage.read(consumerStates);
  const state = states.find((candidate) => candidate.name === name);
  if (state === undefined) throw noSuchConsumer();
  return consumerView(state, clock.now());
}

function consumerView(state: ConsumerState, now: number): ConsumerView {
  const { name, stopped, epoch, seq, lag, waitingSince, owner, ownedUntil, failures, lastError, parked } =
    state;
  const isOwned = owner !== null && ownedUntil > now;
  return {
    name,
    status: stopped !== null ? 'stopped' : isOwned ? 'running' : 'idle',
    reason: stopped,
    position: { epoch, seq },
    behind: lag,
    waitingSince: waitingSince === null ? null : isoTime(waitingSince),
    owner: isOwned ? owner : null,
    failures: isOwned ? failures : 0,
    lastError,
    parked,
    createdAt: isoTime(state.createdAt),
    updatedAt: isoTime(state.updatedAt),
  };
}
