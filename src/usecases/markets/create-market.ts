import { PredictionMarketError, validationError } from '../../domain/errors';
import { atRisk, isWithinLimit, type HouseBooks } from '../../domain/house';
import { openMarket } from '../../domain/market';
import { slugCandidates } from '../../domain/slugs';
import type { Address, Creator, Market } from '../../domain/types';
import type { Random } from '../../ports/random';
import type { Reader, Transaction } from '../../ports/storage';
import { marketFact } from '../../events/facts';
import { marketDetailView, type MarketDetailView } from '../../views/market';
import type { CreateMarketCommand } from '../commands';
import type { Context } from '../context';
import { houseBooks, readHouseBooks } from '../accounts/house-books';
import { factNow } from '../fact-now';

const HOUR_MS = 3_600_000;

/**
 * Opens a market (docs/specification.md "Creating a market"). The refusals, in the order of the checks:
 * VALIDATION_ERROR for a resolve date less than an hour ahead, INSUFFICIENT_PERMISSIONS, EXPOSURE_LIMIT.
 */
export async function createMarket(
  context: Context,
  command: CreateMarketCommand,
): Promise<MarketDetailView> {
  const view = await context.storage.transaction((transaction) => {
    requireHourAhead(command.resolveDate, factNow(context));
    return createMarketIn(transaction, context, command);
  });
  context.eventsAppended();
  return view;
}

/** Like `createMarket`, but inside the caller's transaction, and without the check of the resolve date. */
export async function createMarketIn(
  transaction: Transaction,
  context: Context,
  command: CreateMarketCommand,
): Promise<MarketDetailView> {
  const now = factNow(context);
  const creator = await approvedCreator(transaction, command.creator);
  const exposure = context.pricing.worstLoss(context.config.liquidityParameterMicros);
  // With the lock of the totals, creations run one after another, so each creation sees the exposure that
  // earlier ones have added. Nothing is written before the last refusal, because a paid call stores its refusal
  // in this transaction.
  const totals = await transaction.markets.lockTotals();
  requireRoom(await houseBooks(transaction, context.config, totals), exposure);
  await requireRoomOfCreator(transaction, context, command.creator);
  const market = await insertUnderFreeSlug(transaction, context, command, now);
  await transaction.markets.addTotals([
    { status: market.status, category: market.category, markets: 1, exposure },
  ]);
  const { creator: address, liquidityParameter } = market;
  await transaction.markets.addRisk({ creator: address, liquidityParameter, unresolved: 1, lost: 0n });
  await transaction.events.append([marketFact('market.created', market, now)]);
  const record = { ...market, creatorDisplayName: creator.displayName };
  return marketDetailView(record, context.pricing, now);
}

/**
 * Checks the resolve date and the exposure before the payer is charged. Rejects with VALIDATION_ERROR or
 * EXPOSURE_LIMIT. Reads without a lock, so that callers who have not paid cannot make other callers wait.
 * `createMarketIn` checks the exposure again under the lock.
 */
export async function requireRoomForMarket(
  context: Pick<Context, 'config' | 'pricing' | 'storage' | 'clock' | 'clockIsSteady'>,
  { resolveDate, creator }: Pick<CreateMarketCommand, 'resolveDate' | 'creator'>,
): Promise<void> {
  const { config, pricing, storage } = context;
  requireHourAhead(resolveDate, factNow(context));
  const further = pricing.worstLoss(config.liquidityParameterMicros);
  await storage.read(async (reader) => {
    requireRoom(await readHouseBooks(reader, config), further);
    await requireRoomOfCreator(reader, context, creator);
  });
}

export function requireHourAhead(resolveDate: number, now: number): void {
  if (resolveDate >= now + HOUR_MS) return;
  const message = `resolveDate must be at least 1 hour in the future; the time here is ${new Date(now).toISOString()}`;
  throw validationError([{ field: 'resolveDate', message }]);
}

async function approvedCreator(transaction: Transaction, address: string): Promise<Creator> {
  const creator = await transaction.creators.find(address);
  if (creator?.status === 'approved') return creator;
  const status = creator?.status ?? 'none';
  const message = `Creating markets needs the creator status approved, and the status of this wallet is ${status}. A wallet with none applies at POST /api/v2/creator/apply`;
  throw new PredictionMarketError('INSUFFICIENT_PERMISSIONS', message);
}

function requireRoom(books: HouseBooks, further: bigint): void {
  if (isWithinLimit({ ...books, exposure: books.exposure + further })) return;
  const message =
    'A further market would exceed what the treasury may lose; try again once some are resolved, or the treasury has more';
  throw new PredictionMarketError('EXPOSURE_LIMIT', message);
}

async function requireRoomOfCreator(
  reader: Reader,
  { config, pricing }: Pick<Context, 'config' | 'pricing'>,
  creator: Address,
): Promise<void> {
  const limit = config.creatorExposureLimitMicros;
  if (limit === null) return;
  const further = pricing.worstLoss(config.liquidityParameterMicros);
  const before = atRisk(await reader.markets.risksOf(creator), (b) => pricing.worstLoss(b));
  if (before + further <= limit) return;
  const message = "A further market would exceed what one creator's markets may cost the treasury";
  throw new PredictionMarketError('EXPOSURE_LIMIT', message);
}

async function insertUnderFreeSlug(
  transaction: Transaction,
  { config, random }: Context,
  command: CreateMarketCommand,
  now: number,
): Promise<Market> {
  const { question, description, resolutionCriteria, resolveDate, category, creator } = command;
  const id = await transaction.markets.nextId();
  for (const slug of slugCandidates(question, id, randomSuffix(random))) {
    const opened = openMarket({
      id,
      slug,
      question,
      description,
      resolutionCriteria,
      category,
      creator,
      createdAt: now,
      resolveDate,
      liquidityParameter: config.liquidityParameterMicros,
    });
    const market = { ...opened, marketSeq: 1 };
    if (await transaction.markets.insert(market)) return market;
  }
  throw new Error(`All slugs of market ${id} are taken`);
}

function randomSuffix(random: Random): string {
  return Buffer.from(random.bytes(5)).toString('hex');
}
