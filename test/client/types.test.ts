import { readFile } from 'node:fs/promises';
import type * as views from '../../src/index';
import type * as client from '../../src/client/index';
import type { components } from '../../src/client/api.generated';
import { clientDocuments } from '../../scripts/client-documents';
import { generatedFrom, sourceHash } from '../../scripts/client-source';

it('the types of the client were generated from the OpenAPI documents of today, and not edited', async () => {
  const { callers, operators } = await clientDocuments();
  const written = await readFile('src/client/api.generated.ts', 'utf8');
  expect(generatedFrom(written)).toEqual({ documents: sourceHash(callers, operators), isUnchanged: true });
  const changed = structuredClone(callers);
  delete changed.paths['/api/v2/public/limits'];
  expect(sourceHash(changed, operators)).not.toBe(sourceHash(callers, operators));
});

// For an order that fits no member of the union, the compiler names the member that is declared last.
it.each(['src/client/markets.ts', 'src/inputs.ts'])(
  '%s declares the buy for an amount last',
  async (file) => {
    const declared = (await readFile(file, 'utf8')).match(/(?<=^export interface )(Sell|BuyOf|BuyFor)/gm);
    expect(declared).toEqual(['Sell', 'BuyOf', 'BuyFor']);
  },
);

// --- checked by the compiler: a line that is wrong does not compile ---

type Schemas = components['schemas'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Holds<Claim extends true> = Claim;

export type AnswersAreTheViews = [
  Holds<Same<Schemas['Market'], views.MarketView>>,
  Holds<Same<Schemas['MarketDetail'], views.MarketDetailView>>,
  Holds<Same<Schemas['MarketList'], views.MarketListView>>,
  Holds<Same<Schemas['MarketResolution'], views.MarketResolutionView>>,
  Holds<Same<Schemas['Trade'], views.TradeView>>,
  Holds<Same<Schemas['ExecutedTrade'], views.ExecutedTradeView>>,
  Holds<Same<Schemas['TradeList'], views.TradeListView>>,
  Holds<Same<Schemas['WalletHistory'], views.WalletHistoryView>>,
  Holds<Same<Schemas['Price'], views.PriceView>>,
  Holds<Same<Schemas['PriceHistory'], views.PriceHistoryView>>,
  Holds<Same<Schemas['PositionList'], views.PositionListView>>,
  Holds<Same<Schemas['Balance'], views.BalanceView>>,
  Holds<Same<Schemas['Limits'], views.LimitsView>>,
  Holds<Same<Schemas['Challenge'], views.ChallengeView>>,
  Holds<Same<Schemas['IssuedKey'], views.IssuedKeyView>>,
  Holds<Same<Schemas['KeyList'], views.KeyListView>>,
  Holds<Same<Schemas['RevokedKey'], views.RevokedKeyView>>,
  Holds<Same<Schemas['CreatorStatus'], views.CreatorStatusView>>,
  Holds<Same<Schemas['CreatorList'], views.CreatorListView>>,
  Holds<Same<Schemas['Deposit'], views.DepositView>>,
  Holds<Same<Schemas['CreditList'], views.CreditListView>>,
  Holds<Same<Schemas['CreatorEarnings'], views.EarningsView>>,
  Holds<Same<Schemas['TreasuryDeposit'], views.TreasuryDepositView>>,
  Holds<Same<Schemas['Treasury'], views.TreasuryView>>,
  Holds<Same<Schemas['WithdrawalList'], views.WithdrawalListView>>,
  Holds<Same<Schemas['OperatorCreditList'], views.OperatorCreditListView>>,
  Holds<Same<Schemas['OperatorWithdrawalList'], views.OperatorWithdrawalListView>>,
  Holds<Same<Schemas['PostingList'], views.PostingListView>>,
  Holds<Same<Schemas['OpenWithdrawalList'], views.OpenWithdrawalListView>>,
  Holds<Same<Schemas['MarketFeed'], views.MarketFeedView>>,
  Holds<Same<Schemas['OracleAnswer'], views.OracleAnswerView>>,
  Holds<Same<Schemas['ResolutionEvidence'], views.ResolutionEvidenceView>>,
  Holds<Same<Schemas['ResolutionList'], views.ResolutionListView>>,
  Holds<Same<Schemas['OperatorLog'], views.OperatorLogView>>,
  Holds<Same<Schemas['OperatorMarketList'], views.OperatorMarketListView>>,
  Holds<Same<Schemas['PaymentList'], views.PaymentListView>>,
  Holds<Same<Schemas['WebhookList'], views.WebhookListView>>,
  Holds<Same<Schemas['WebhookWithSecret'], views.WebhookWithSecretView>>,
  Holds<Same<Schemas['WebhookDeliveryList'], views.WebhookDeliveryListView>>,
  Holds<Same<Schemas['ConsumerList'], views.ConsumerListView>>,
  Holds<Same<Schemas['ParkedFactList'], views.ParkedFactListView>>,
  Holds<Same<Schemas['Audit'], views.AuditView>>,
];

/** Leaves out the fields that the route reads from the path, the key or a header. Keeps each variant of a union. */
type Given<Input, Path extends keyof Input = never> = Input extends unknown ? Omit<Input, Path> : never;

type IsOrder<Given> = Given extends client.Order ? true : false;
export type OrdersHaveOneSize = [
  Holds<IsOrder<{ side: 'YES'; amount: 10 }>>,
  Holds<IsOrder<{ side: 'NO'; action: 'sell'; shares: 'all' }>>,
  Holds<Same<IsOrder<{ side: 'YES' }>, false>>,
  Holds<Same<IsOrder<{ side: 'YES'; amount: 10; shares: 5 }>, false>>,
  Holds<Same<IsOrder<{ side: 'YES'; amount: undefined }>, false>>,
];

/**
 * A filter takes any text, and an editor still offers the categories. If the type were a plain `string`, `Extract`
 * would give `never`.
 */
export type FiltersOfferTheCategories = [
  Holds<Same<Extract<client.MarketQuery['category'], client.NewMarket['category']>, views.Category>>,
  Holds<Same<Extract<client.FeedQuery['category'], client.NewMarket['category']>, views.Category>>,
  Holds<Same<Extract<views.ListMarketsInput['category'], views.Category>, views.Category>>,
  Holds<'wether' extends client.MarketQuery['category'] ? true : false>,
];

type Sale = { side: 'YES'; action: 'sell'; shares: 5 };
export type OrdersDoNotMixActions = [
  Holds<IsOrder<Sale & { minPrice: 0.4; minPayout: 9 }>>,
  Holds<IsOrder<{ side: 'YES'; action: 'buy'; shares: 5; maxPrice: 0.6; minShares: 1; maxCost: 9 }>>,
  Holds<IsOrder<Sale | { side: 'YES'; amount: 10; maxCost: 10 }>>,
  Holds<Same<IsOrder<{ side: 'YES'; action: 'sell'; amount: 10 }>, false>>,
  Holds<Same<IsOrder<{ side: 'YES'; shares: 'all' }>, false>>,
  Holds<Same<IsOrder<{ side: 'YES'; amount: 10; minPayout: 9 }>, false>>,
  Holds<Same<IsOrder<{ side: 'YES'; amount: 10; minPrice: 0.4 }>, false>>,
  Holds<Same<IsOrder<Sale & { maxPrice: 0.6 }>, false>>,
  Holds<Same<IsOrder<Sale & { minShares: 1 }>, false>>,
  Holds<Same<IsOrder<Sale & { maxCost: 9 }>, false>>,
];

export type InputsAreThoseOfTheMethods = [
  Holds<Same<keyof views.BuyInput, keyof views.OrderFields>>,
  Holds<Same<keyof views.SellInput, keyof views.OrderFields>>,
  Holds<Same<client.Order, Given<views.PlaceTradeInput, 'wallet' | 'market' | 'idempotencyKey'>>>,
  Holds<Same<client.NewMarket, Given<views.CreateMarketInput, 'creator'>>>,
  Holds<Same<client.MarketQuery, views.ListMarketsInput>>,
  Holds<Same<client.PriceQuery, Given<views.QuoteInput, 'market'>>>,
  Holds<Same<client.CandleQuery, Given<views.PriceHistoryInput, 'market'>>>,
  Holds<Same<client.TradeQuery, Given<views.ListTradesInput, 'market'>>>,
  Holds<Same<client.PositionQuery, Given<views.ListPositionsInput, 'wallet'>>>,
  Holds<Same<client.DepositBody, views.TreasuryDepositInput>>,
  Holds<Same<client.ErrorCode, Exclude<views.ErrorCode, OtherCodes>>>,
];

/** These codes are for sockets and typed methods, and no route answers with them. */
type OtherCodes = 'ALREADY_AUTHENTICATED' | 'ORIGIN_NOT_ALLOWED' | 'CONSUMER_LIMIT_REACHED';

export async function answersAreTyped(client: client.PredictionMarketClient): Promise<unknown[]> {
  const trade = await client.trades.place(1, { side: 'YES', amount: 5 });
  const cost: number = trade.totalCost;
  const action = cost > 5 ? 'sell' : 'buy';
  await client.trades.place(1, { side: 'YES', action, shares: 5 });
  // @ts-expect-error a side is YES or NO
  await client.trades.place(1, { side: 'MAYBE', amount: 5 });
  // @ts-expect-error a trade has no such field
  const nothing: unknown = trade.noSuchField;
  // @ts-expect-error the query has no such field
  await client.markets.list({ noSuchField: 1 });
  const audit = await client.admin.audit();
  const ok: boolean = audit.ok;
  const { id }: { id: number } = await client.admin.webhooks.create({ url: 'https://example.com' });
  // @ts-expect-error an outcome is YES, NO or VOID
  await client.admin.markets.resolve(1, { outcome: 'MAYBE' });
  client.live(['trades', `market:${id}`, 'account']);
  // @ts-expect-error there is no such channel
  client.live(['markt:1']);
  // @ts-expect-error a market's channel has its id
  client.live(['market:will-it-rain']);
  for await (const market of client.markets.all({ status: 'open' }))
    return [market.question, cost, ok, id, nothing];
  return [];
}

export function codesAreTyped(error: client.PredictionMarketApiError): boolean {
  // @ts-expect-error a misspelt code
  return error.code === 'INSUFICIENT_FUNDS' || error.code === 'INSUFFICIENT_FUNDS';
}
