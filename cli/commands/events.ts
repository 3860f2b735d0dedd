import { InvalidArgumentError, type Command } from 'commander';
import type { AnyPublishedEvent, EventPosition, PredictionMarket, Storage } from 'express-prediction-market';
import { UsageError } from '../needs-a-person';
import { settingsFor, withMarket } from '../storage';
import type { CommandContext } from '../command-context';

interface Options {
  since?: EventPosition | 'oldest';
  once?: true;
}

export function addEvents(program: Command, commandContext: CommandContext): void {
  program
    .command('events')
    .description('print the facts of DATABASE_URL as they come, as one line of JSON each, until Ctrl-C')
    .option(
      '--since <epoch:seq>',
      'begin after this fact, or with the oldest one that is stored: oldest. Default: with the next one',
      startOf,
    )
    .option('--once', 'stop at the newest fact (needs --since)')
    .option('--json', 'changes nothing: the lines are JSON in any case')
    .action(async (options: Options) => {
      if (options.once && options.since === undefined)
        throw new UsageError('--once needs --since: `--since oldest` prints all facts that are stored');
      const settings = settingsFor('events', commandContext);
      await withMarket(commandContext, settings, async (market, storage) => {
        const begin = options.since === 'oldest' ? await beforeOldest(market, storage) : options.since;
        await follow(market, { ...options, begin }, commandContext);
      });
    });
}

function startOf(text: string): EventPosition | 'oldest' {
  if (text === 'oldest') return text;
  const [, epoch, seq] = /^([\w-]+):(\d{1,15})$/.exec(text) ?? [];
  if (epoch === undefined)
    throw new InvalidArgumentError('expected oldest, or <epoch>:<seq> as the command epoch shows them.');
  return { epoch, seq: Number(seq) };
}

async function beforeOldest(market: PredictionMarket, storage: Storage): Promise<EventPosition> {
  const newest = market.eventPosition();
  const [oldest] = await storage.read((reader) => reader.events.after(0, 1));
  return oldest?.seq ? { epoch: newest.epoch, seq: oldest.seq - 1 } : newest;
}

/**
 * Prints one line for each fact. A fact may become several events: the first one says what happened, and the
 * others (prices and balances) follow from it. So only the first one is printed.
 */
async function follow(
  market: PredictionMarket,
  { begin = market.eventPosition(), once }: { begin?: EventPosition; once?: true },
  { print, tell, stop }: CommandContext,
): Promise<void> {
  const newest = market.eventPosition();
  if (once && begin.epoch === newest.epoch && begin.seq === newest.seq) {
    const hint = '`--since oldest` prints those that are stored';
    tell(`no fact after ${begin.epoch}:${String(begin.seq)}; ${hint}`);
    return;
  }
  let { seq } = begin;
  for await (const event of market.events.since(begin, { signal: stop })) {
    if (event.seq !== seq) print(lineOf(begin.epoch, event));
    seq = event.seq;
    if (once && seq >= newest.seq) return;
  }
}

function lineOf(epoch: string, { event, seq, marketSeq, ts, data }: AnyPublishedEvent): string {
  return JSON.stringify({ epoch, seq, marketSeq, ts, event, data });
}
