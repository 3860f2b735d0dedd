import { readFile } from 'node:fs/promises';
import { generatedFrom, hashOf } from '../../../scripts/client-source';
import { liveSource } from '../../../scripts/live-source';
import type { LiveEvent, MarketSnapshot, BalanceFigures } from '../../../src/client/live/live-messages';
import type { EventName } from '../../../src/domain/events';
import type { MessageMap } from '../../../src/events/channel-messages';
import type * as events from '../../../src/events/event-data';
import type * as protocol from '../../../src/events/protocol';

it('were generated from the AsyncAPI document of today, and not edited', async () => {
  const written = await readFile('src/client/live/messages.generated.ts', 'utf8');
  expect(generatedFrom(written)).toEqual({ documents: hashOf(liveSource()), isUnchanged: true });
});

// --- checked by the compiler: a line that is wrong does not compile ---

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Holds<Claim extends true> = Claim;
type EveryEvent = Holds<Same<LiveEvent['event'], EventName>>;
type DataOf = {
  [Name in EventName]: MessageMap[Name] extends Extract<LiveEvent, { event: Name }>['data'] ? true : false;
};
/** `account.balance` is left out: the type of its data allows values of `reason` that no message has. */
type EveryData = Holds<Same<DataOf[Exclude<EventName, 'account.balance'>], true>>;
type States = [
  Holds<Same<MarketSnapshot, protocol.MarketSnapshot>>,
  Holds<Same<BalanceFigures, events.BalanceFigures>>,
];
export type TypesOfTheClient = [EveryEvent, EveryData, States];
