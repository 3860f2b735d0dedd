import { ask } from './payments-client';
import { CHALLENGE_MS, type Death, type OpenedMarket, type OracleWorld } from './oracle-world';
import type { Saying } from './voters';

interface Plan {
  script: readonly Saying[];
  diesInRound: number;
}

const PLANS: Plan[] = [
  { script: ['YES'], diesInRound: 1 },
  { script: ['away', 'NO'], diesInRound: 1 },
  { script: ['split', 'YES', 'YES'], diesInRound: 3 },
  { script: Array.from({ length: 8 }, () => 'split'), diesInRound: 8 },
];
const TWO_PLANS = [0, 2].map((index) => PLANS[index] as Plan);
const NOT_ASKED = ['in asking', 'after asking'];
const NOT_STORED = ['after ask', 'before voted', 'in voted'];
const NOT_FOLLOWED = ['after voted', 'before followed', 'in followed'];

const named = (steps: readonly string[], plans: readonly Plan[]): [string, string, Plan][] =>
  steps.flatMap((step) => plans.map((plan): [string, string, Plan] => [step, plan.script.join(', '), plan]));

/** A payout pays at most 1,000 positions at a time: here two full chunks, and then four positions. */
const MANY_HOLDERS = 2_004;
/**
 * In pairs: the decision with the first chunk, the second chunk, the last four positions. Each pair dies before and
 * after the COMMIT.
 */
const DEATHS_OF_A_PAYOUT: Death[] = [
  { at: 'in paying' },
  { at: 'after paying' },
  { at: 'in paying' },
  { at: 'after paying' },
  { at: 'in paid' },
  { at: 'after paid' },
];

export function oracleCrashes(
  create: () => Promise<OracleWorld>,
  extent: 'every plan' | 'two plans',
  more: (worldOf: () => OracleWorld) => void = () => undefined,
): void {
  const plans = extent === 'every plan' ? PLANS : TWO_PLANS;
  let world: OracleWorld;
  beforeAll(async () => {
    world = await create();
  });
  afterAll(() => world.close());

  async function dieOnce(step: string, { script, diesInRound }: Plan, lost: number | null): Promise<void> {
    const market = await world.open(script, { lost });
    await world.dieAt(market, { at: step, time: diesInRound });
    await world.checkMarket(market);
  }

  describe('before the voters are asked,', () => {
    it.each(named(NOT_ASKED, PLANS.slice(1, 3)))('a death %s does no harm: %s', (step, _, plan) =>
      dieOnce(step, plan, null),
    );
  });

  describe('when the voters have answered and their votes are not stored,', () => {
    it.each(named(NOT_STORED, plans))('a death %s does no harm: %s', (step, _, plan) =>
      dieOnce(step, plan, plan.diesInRound),
    );
  });

  describe('when the votes are stored and nothing has followed,', () => {
    it.each(named(NOT_FOLLOWED, plans))('a death %s does no harm: %s', (step, _, plan) =>
      dieOnce(step, plan, null),
    );
  });

  it.each(['YES', 'NO'] as const)(
    'six deaths one after the other do no harm during the payout of %s',
    async (said) => {
      const market = await world.open([said], { holders: MANY_HOLDERS });
      for (const death of DEATHS_OF_A_PAYOUT) await world.dieAt(market, death);
      await world.checkMarket(market);
    },
  );

  it('deaths at every stage of one market do no harm', async () => {
    const market = await world.open(['YES'], { lost: 1 });
    for (const at of ['before ask', 'in voted', 'after voted', 'in paid']) await world.dieAt(market, { at });
    await world.checkMarket(market);
  });

  describe('with a challenge period,', () => {
    beforeAll(async () => {
      world.settings.challengePeriodMs = CHALLENGE_MS;
      await (await world.server()).kill();
    });
    afterAll(async () => {
      delete world.settings.challengePeriodMs;
      await (await world.server()).kill();
    });

    const PROPOSED = ['market.created', 'market.resolving', 'market.proposed'];

    async function proposedDespiteDeathAt(step: string): Promise<OpenedMarket> {
      const market = await world.open(['YES']);
      await world.dieAt(market, { at: step });
      await world.work(market, 'proposed');
      const { balances, ...found } = await world.books(market);
      expect(found).toMatchObject({
        market: { status: 'resolving', resolution: null },
        state: { status: 'proposed', proposal: { outcome: 'YES' } },
        unpaid: market.holders,
        payoutFacts: 0,
        facts: PROPOSED,
      });
      expect(balances).toEqual(balances.map(() => '0'));
      return market;
    }

    it.each([
      ['after voted', 'in paid'],
      ['in followed', 'after paid'],
      ['after followed', 'in paid'],
    ])(
      'after a death %s, and one %s when the period is over, the market is paid once and not before',
      async (step, last) => {
        const market = await proposedDespiteDeathAt(step);
        await (await world.server()).kill();
        await world.pass(CHALLENGE_MS - 60_000);
        expect((await world.books(market)).market.status).toBe('resolving');
        await world.dieAt(market, { at: last });
        expect((await world.finish(market)).facts).toEqual([...PROPOSED, 'market.resolved']);
        await world.checkPayOut(market, 'YES');
        await world.checkRounds(market);
      },
    );

    it.each([
      ['after voted', 'before paid'],
      ['in followed', 'in paid'],
      ['after followed', 'after paid'],
    ])(
      'after a death %s an operator overturns the proposal, with a death %s, and nothing was paid before',
      async (step, last) => {
        const market = await proposedDespiteDeathAt(step);
        await (await world.server()).kill();
        const overturn = async (): Promise<object> =>
          ask(await world.server(), `/program/resolve?market=${market.id}&outcome=NO`);
        const victim = await world.server();
        await victim.tell({ order: 'die', at: last });
        await expect(overturn()).rejects.toThrow();
        await victim.hasDied();
        const { market: found, balances } = await world.books(market);
        if (last !== 'after paid') {
          expect(found).toMatchObject({ status: 'resolving', resolution: null });
          expect(balances).toEqual(balances.map(() => '0'));
        }
        await overturn();
        await world.checkPayOut(market, 'NO');
        await world.pass(CHALLENGE_MS, await world.server());
        await world.work(market);
        await world.checkPayOut(market, 'NO');
        await world.checkRounds(market);
        const { facts, market: end } = await world.books(market);
        expect(facts).toEqual([...PROPOSED, 'market.resolved']);
        expect(end.resolution).toEqual({ outcome: 'NO', method: 'operator' });
      },
    );
  });

  more(() => world);
}
