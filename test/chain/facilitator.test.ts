import type { Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { httpFacilitator } from '../../adapters/facilitator/http';
import { authorizationData } from '../../adapters/shared/evm/token';
import type { Payment } from '../../src/ports/facilitator';
import { facilitatorConformance, signedPayment, testClock, type TestClock } from '../../testing';
import { startFacilitatorServer } from '../facilitator/support/facilitator-server';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type LyingNode } from './support/lying-node';
import { until } from '../support/until';
import { randomAddress, randomWallet } from '../support/random-wallet';

/** Providers of nodes put a key into the URL of the node. No message may show the key. */
const KEY = 'the-key-of-the-account';
const LOOKS_UP = { looksUp: true, times: ['spentAt', 'asOf'] } as const;
const AMOUNT = BigInt(REQUIREMENTS.amount);

type Restore = () => Promise<void>;
async function misbehaving(
  node: LyingNode,
  trouble: Parameters<LyingNode['misbehave']>[0],
): Promise<Restore> {
  node.misbehave(trouble);
  return async () => node.misbehave({});
}
const silent = (form: string) => (form === 'halfBody' ? { isHalf: true } : { isSilent: true });
async function both(first: Restore, second: Promise<Restore>): Promise<Restore> {
  const restore = await second;
  return async () => void (await Promise.all([first(), restore()]));
}

/** A check of the suite sends the node many requests. */
const TIME_LIMIT_MS = 60_000;

describeWith('anvil', 'a facilitator that settles on a chain', (binary) => {
  let chain: Chain;
  const opened: EvmFacilitator[] = [];
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  afterEach(async () => {
    for (const facilitator of opened.splice(0)) facilitator.close();
    await chain.automine(true);
  });
  afterAll(() => chain.stop());

  type Options = Partial<Parameters<typeof evmFacilitator>[0]>;
  function facilitatorOf(settler: { privateKey: string }, options: Options = {}): EvmFacilitator {
    const { privateKey } = settler;
    const made = evmFacilitator({ rpcUrl: chain.url, privateKey, pollIntervalMs: 15, ...options });
    opened.push(made);
    return made;
  }

  async function scene(options: Options = {}) {
    const settler = randomWallet();
    const payer = randomWallet();
    const requirements = { ...REQUIREMENTS, payTo: randomAddress().toLowerCase() };
    await chain.giveGas(settler.address);
    await chain.mint(payer.address, 1_000n * AMOUNT);
    const facilitator = facilitatorOf(settler, options);
    const pay = (): Promise<Payment> => signedPayment(payer, requirements, Date.now());
    const received = (): Promise<bigint> => chain.tokens(requirements.payTo);
    return { settler, payer, requirements, facilitator, pay, received };
  }

  function handleFor(handles: readonly EvmFacilitator[], index: number): EvmFacilitator {
    return handles[index % handles.length] as EvmFacilitator;
  }

  async function frontRun({ authorization }: Payment): Promise<string> {
    const stranger = randomAddress();
    await chain.giveGas(stranger);
    return chain.send(stranger, authorizationData(authorization) ?? '0x');
  }

  const nonces = async (address: string): Promise<number> =>
    Number(await chain.rpc.send('eth_getTransactionCount', [address, 'latest']));

  const sharedMembers = (clock: TestClock) => ({
    pauper: randomWallet(),
    now: () => clock.now(),
    moveClock: async (seconds: number) => clock.advance(seconds * 1000),
    stranger: async (payment: Payment) => chain.mined(await frontRun(payment)),
  });

  describe('evm facilitator', () => {
    facilitatorConformance(
      { describe, it, expect },
      {
        timeLimitMs: TIME_LIMIT_MS,
        create: async () => {
          const node = await openLyingNode(chain.url);
          const clock = testClock(Date.now());
          const rpcUrl = `${node.url}/v2/${KEY}`;
          const { settler, facilitator, requirements, payer, received } = await scene({
            ...{ rpcUrl, clock, timeoutMs: 5_000 },
          });
          return {
            ...{ facilitator, requirements, payer, received, ...sharedMembers(clock), ...LOOKS_UP },
            secrets: [KEY, settler.privateKey.slice(2)],
            another: async () => {
              const settler = randomWallet();
              await chain.giveGas(settler.address);
              return facilitatorOf(settler);
            },
            async loseAnswer(how) {
              if (how === 'silence' || how === 'denied' || how === 'malformed') return false;
              let arrive: (() => Promise<unknown>) | null = null;
              node.lie({
                async eth_sendRawTransaction(_parameters, ask) {
                  if (how === 'late') arrive = () => ask();
                  else await ask();
                  node.lie({});
                  if (how === 'nonsense') return { hello: 'world' };
                  throw how === 'error' ? new NodeError('internal error') : new Error('the answer is lost');
                },
              });
              return async () => {
                if (how !== 'late') return;
                await until(async () => arrive !== null, { what: 'the transaction was sent' });
                await arrive?.();
              };
            },
            async hold() {
              await chain.automine(false);
              const isInPool = async (): Promise<boolean> => (await chain.pool(settler.address)).length > 0;
              return {
                arrived: () => until(isInPool, { what: 'the transaction is in the pool' }),
                async release() {
                  await chain.mine();
                  await chain.automine(true);
                },
              };
            },
            garble: (nonsense) => misbehaving(node, { nonsense }),
            silence: (form) => misbehaving(node, silent(form)),
            redirect: (location) => misbehaving(node, { location }),
            failWith: (status) => misbehaving(node, { status }),
            cutOff: () => node.close(),
            async destroy() {
              facilitator.close();
              await node.close();
            },
          };
        },
      },
    );
  });

  describe('http facilitator that can ask the chain', () => {
    facilitatorConformance(
      { describe, it, expect },
      {
        timeLimitMs: TIME_LIMIT_MS,
        create: async () => {
          const clock = testClock(Date.now());
          const { facilitator: backing, requirements, payer, received } = await scene({ clock });
          const server = await startFacilitatorServer(backing);
          const node = await openLyingNode(chain.url);
          const headers = { authorization: `Bearer ${KEY}` };
          const rpcUrl = `${node.url}/v2/${KEY}`;
          const make = () => httpFacilitator({ url: server.url, headers, rpcUrl, clock, timeoutMs: 5_000 });
          const closeBoth = async (): Promise<void> => {
            await Promise.all([server.close(), node.close()]);
          };
          return {
            ...{ facilitator: make(), requirements, payer, received, ...sharedMembers(clock), ...LOOKS_UP },
            secrets: [KEY],
            another: async () => make(),
            loseAnswer: async (how, status) => server.loseAnswer(how, status),
            failWith: (status) => both(server.failWith(status), misbehaving(node, { status })),
            silence: (form) => both(server.silence(form), misbehaving(node, silent(form))),
            redirect: (location) => both(server.redirect(location), misbehaving(node, { location })),
            garble: (nonsense) => both(server.garble(nonsense), misbehaving(node, { nonsense })),
            hold: false,
            cutOff: closeBoth,
            destroy: closeBoth,
          };
        },
      },
    );
  });

  it('settles fifty payments at once, each by a transaction of its own, with nonces in a row', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene();
    const payments = await Promise.all(Array.from({ length: 50 }, pay));
    const results = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 'settled'));
    expect(await received()).toBe(50n * AMOUNT);
    expect(await nonces(settler.address)).toBe(50);
  });

  it('moves the money once when two facilitators with keys of their own get fifty copies of a payment', async () => {
    const { requirements, facilitator, pay, received } = await scene();
    const second = randomWallet();
    await chain.giveGas(second.address);
    const handles = [facilitator, facilitatorOf(second)];
    const payment = await pay();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => handleFor(handles, index).settle(payment, requirements)),
    );
    const outcomes = new Set(results.map(({ status }) => status));
    expect([...outcomes].every((status) => status === 'settled' || status === 'spent')).toBe(true);
    expect(outcomes.has('settled')).toBe(true);
    expect(await received()).toBe(AMOUNT);
  });

  it('settles beside another facilitator that has the same key', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene({ stuckAfterMs: 500 });
    const handles = [facilitator, facilitatorOf(settler, { stuckAfterMs: 500 })];
    const payments = await Promise.all(Array.from({ length: 20 }, pay));
    const results = await Promise.all(
      payments.map((payment, index) => handleFor(handles, index).settle(payment, requirements)),
    );
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'settled'));
    expect(await received()).toBe(20n * AMOUNT);
  });

  it('counts a payment that a stranger submitted first as paid when the look-up finds it', async () => {
    const { requirements, facilitator, pay, received } = await scene();
    const payment = await pay();
    await chain.mined(await frontRun(payment));
    expect((await facilitator.verify(payment, requirements)).status).toBe('spent');
    expect((await facilitator.settle(payment, requirements)).status).toBe('spent');
    expect((await facilitator.lookup(payment, requirements)).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it("calls a payment spent when a stranger's transaction overtakes its own, and the look-up finds that transaction", async () => {
    const { settler, requirements, facilitator, pay, received } = await scene();
    await chain.automine(false);
    const payment = await pay();
    const settling = facilitator.settle(payment, requirements);
    await until(async () => (await chain.pool(settler.address)).length === 1, {
      what: 'the transaction waits',
    });
    const [own] = await chain.pool(settler.address);
    await chain.drop(own ?? '');
    await frontRun(payment);
    await chain.mine();
    expect(await received()).toBe(AMOUNT);
    await until(
      async () => {
        await chain.mine();
        return (await nonces(settler.address)) === 1;
      },
      { what: 'the transaction is given to the node again' },
    );
    expect((await settling).status).toBe('spent');
    const found = await facilitator.lookup(payment, requirements);
    expect(found).toMatchObject({ status: 'settled', sentBySettler: false });
    expect(found).not.toMatchObject({ transaction: own });
    expect(await received()).toBe(AMOUNT);
  });

  it('does not count an authorization that paid another recipient as a payment', async () => {
    const { payer, requirements, facilitator } = await scene();
    const elsewhere = { ...requirements, payTo: randomAddress().toLowerCase() };
    const nonce = `0x${'77'.repeat(32)}`;
    const theirs = await signedPayment(payer, elsewhere, Date.now(), { nonce });
    const ours = await signedPayment(payer, requirements, Date.now(), { nonce });
    await chain.mined(await frontRun(theirs));
    expect((await facilitator.verify(ours, requirements)).status).toBe('spent');
    expect(await facilitator.lookup(ours, requirements)).toEqual({
      status: 'invalid',
      reason: 'spent on another payment',
    });
  });

  it('gives a payment up for good once it has expired unsettled', async () => {
    const { payer, requirements, facilitator } = await scene();
    const now = Date.now();
    const payment = await signedPayment(payer, requirements, now, {
      validAfter: '0',
      validBefore: String(Math.floor(now / 1000) - 60),
    });
    expect((await facilitator.lookup(payment, requirements)).status).toBe('invalid');
  });

  it('settles the payments beside those that revert because their payer has spent the money since the check', async () => {
    const { settler, payer, requirements, facilitator, received } = await scene();
    const poor = randomWallet();
    await chain.mint(poor.address, 2n * AMOUNT);
    await chain.automine(false);
    const paidBy = (wallet: Wallet): Promise<Payment> => signedPayment(wallet, requirements, Date.now());
    const payments = await Promise.all([poor, poor, poor, poor, payer].map(paidBy));
    const settling = Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
    await until(async () => (await chain.pool(settler.address)).length === 5, { what: 'all wait' });
    await chain.mine();
    const statuses = (await settling).map(({ status }) => status);
    // A reverted transfer does not prove that the payment failed, so `settle` does not refuse.
    expect(statuses.filter((status) => status === 'unknown')).toHaveLength(2);
    expect(statuses.filter((status) => status === 'settled')).toHaveLength(3);
    expect(statuses[4]).toBe('settled');
    await chain.automine(true);
    expect((await facilitator.settle(await paidBy(payer), requirements)).status).toBe('settled');
    expect(await received()).toBe(4n * AMOUNT);
  });

  it('is unavailable while the settler has no gas, and settles once there is gas again', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene();
    await chain.giveGas(settler.address, 0n);
    const payment = await pay();
    expect((await facilitator.verify(payment, requirements)).status).toBe('unavailable');
    expect((await facilitator.settle(payment, requirements)).status).toBe('unavailable');
    await chain.giveGas(settler.address);
    expect((await facilitator.settle(payment, requirements)).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it('answers unknown when the chain is slow, and the look-up finds the payment afterwards', async () => {
    const { requirements, facilitator, pay, received } = await scene({ timeoutMs: 150 });
    await chain.automine(false);
    const payment = await pay();
    expect((await facilitator.settle(payment, requirements)).status).toBe('unknown');
    expect((await facilitator.lookup(payment, requirements)).status).toBe('unknown');
    await chain.mine();
    await until(
      async () => {
        return (await facilitator.lookup(payment, requirements)).status === 'settled';
      },
      { what: 'it is found' },
    );
    expect(await received()).toBe(AMOUNT);
  });

  it('waits for the confirmations that it was told to wait for, through a reorganised block', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene({
      confirmations: 2,
      stuckAfterMs: 500,
    });
    await chain.automine(false);
    const payment = await pay();
    let settled = false;
    const settling = facilitator.settle(payment, requirements).finally(() => (settled = true));
    await until(async () => (await chain.pool(settler.address)).length === 1, { what: 'it waits' });
    await chain.mine();
    expect(await received()).toBe(AMOUNT);
    expect((await facilitator.lookup(payment, requirements)).status).toBe('unknown');
    await chain.reorg(1);
    expect(await received()).toBe(0n);
    expect(settled).toBe(false);
    await until(
      async () => {
        await chain.mine();
        return settled;
      },
      { what: 'it is mined again' },
    );
    expect((await settling).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
    expect((await facilitator.lookup(payment, requirements)).status).toBe('settled');
  });

  it('sends a settled payment again when the chain drops its block after the answer', async () => {
    const { requirements, facilitator, pay, received } = await scene({ stuckAfterMs: 500 });
    const payment = await pay();
    const settled = await facilitator.settle(payment, requirements);
    expect(settled.status).toBe('settled');
    await chain.reorg(1);
    expect(await received()).toBe(0n);
    await until(async () => (await received()) === AMOUNT, { what: 'it is there again' });
    expect(await facilitator.lookup(payment, requirements)).toMatchObject({
      ...settled,
      sentBySettler: true,
    });
  });

  it('offers more gas for a transaction that is stuck', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene({ stuckAfterMs: 200 });
    await chain.automine(false);
    const settling = facilitator.settle(await pay(), requirements);
    await until(async () => (await chain.pool(settler.address)).length === 1, { what: 'it waits' });
    const [first] = await chain.pool(settler.address);
    await until(
      async () => {
        const [now] = await chain.pool(settler.address);
        return now !== undefined && now !== first;
      },
      { what: 'it is replaced' },
    );
    expect(await chain.pool(settler.address)).toHaveLength(1);
    await chain.mine();
    const settled = await settling;
    expect(settled.status).toBe('settled');
    expect(settled).not.toEqual({ status: 'settled', transaction: first });
    expect(await received()).toBe(AMOUNT);
  });

  it('goes on after a restart: it settles a copy of a payment that the earlier process left waiting, and new ones', async () => {
    const { settler, requirements, facilitator, pay, received } = await scene({ timeoutMs: 100 });
    await chain.automine(false);
    const payment = await pay();
    expect((await facilitator.settle(payment, requirements)).status).toBe('unknown');
    facilitator.close();

    const restarted = facilitatorOf(settler);
    expect((await restarted.lookup(payment, requirements)).status).toBe('unused');
    const copy = restarted.settle(payment, requirements);
    const next = restarted.settle(await pay(), requirements);
    await until(async () => (await chain.pool(settler.address)).length === 3, { what: 'all wait' });
    await chain.mine();
    expect((await copy).status).toBe('settled');
    expect((await next).status).toBe('settled');
    expect(await received()).toBe(2n * AMOUNT);
  });

  it('fills a nonce that an earlier process left out', async () => {
    const { settler, requirements, pay, received } = await scene();
    const filling = facilitatorOf(settler, { stuckAfterMs: 200 });
    await chain.automine(false);
    // The node loses the first transaction, so the second waits until the missing nonce is used.
    const first = filling.settle(await pay(), requirements);
    await until(async () => (await chain.pool(settler.address)).length === 1, { what: 'the first waits' });
    const [lost] = await chain.pool(settler.address);
    filling.close();
    const second = facilitatorOf(settler, { stuckAfterMs: 200 });
    const settling = second.settle(await pay(), requirements);
    await until(async () => (await chain.pool(settler.address)).length === 2, { what: 'both wait' });
    await chain.drop(lost ?? '');
    await until(
      async () => {
        await chain.mine();
        return (await nonces(settler.address)) === 2;
      },
      { what: 'the gap is closed' },
    );
    expect((await settling).status).toBe('settled');
    expect((await first).status).toBe('unknown');
    expect(await received()).toBe(AMOUNT);
  });

  it('is unavailable on another chain than the one that the requirements name', async () => {
    const { payer, requirements, facilitator } = await scene();
    const elsewhere = { ...requirements, network: 'eip155:84532' };
    const payment = await signedPayment(payer, elsewhere, Date.now());
    expect((await facilitator.verify(payment, elsewhere)).status).toBe('unavailable');
    expect((await facilitator.settle(payment, elsewhere)).status).toBe('unavailable');
    expect((await facilitator.lookup(payment, elsewhere)).status).toBe('unknown');
  });

  it('does not show a malformed key in the error about it', () => {
    const make = (): EvmFacilitator => evmFacilitator({ rpcUrl: chain.url, privateKey: 'secret words' });
    expect(make).toThrow('evmFacilitator: privateKey');
    expect(make).not.toThrow('secret words');
  });
});
