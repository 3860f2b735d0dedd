import { testWallet } from '../../../testing';
import { applyAsCreator } from '../../../src/usecases/creators/apply-as-creator';
import type { ApplyAsCreatorCommand, DecideCreatorCommand } from '../../../src/usecases/commands';
import { creatorStatus } from '../../../src/usecases/creators/creator-status';
import { decideCreator } from '../../../src/usecases/creators/decide-creator';
import { listCreators } from '../../../src/usecases/creators/list-creators';
import type { CreatorStatusView, CreatorView } from '../../../src/views/creator';
import {
  addressOf,
  createKeyWorld,
  OTHER_SIGNER,
  outcomeOf,
  STALE,
  STORAGES,
  type KeyWorld,
} from '../keys/support';

const alice = testWallet('alice');
const bob = testWallet('bob');

let world: KeyWorld;
afterEach(() => world.close());

const instant = (): string => new Date(world.clock.now()).toISOString();
const all = { status: null, limit: 20, offset: 0 };

async function apply(
  texts: Partial<Pick<ApplyAsCreatorCommand, 'displayName' | 'statement'>> = {},
  wallet = alice,
): Promise<CreatorStatusView> {
  const signed = await world.sign(wallet, 'apply');
  return applyAsCreator(world.context, { ...signed, displayName: null, statement: null, ...texts });
}

function decide(
  verdict: DecideCreatorCommand['verdict'],
  reason: string | null = null,
  wallet = alice,
): Promise<CreatorView> {
  return decideCreator(world.context, { address: addressOf(wallet), verdict, reason });
}

const status = (): Promise<CreatorStatusView> => creatorStatus(world.context, { address: addressOf(alice) });

async function news(): Promise<[string, string | null][]> {
  const events = await world.events();
  return events.map(({ data }) => [
    (data as { status: string }).status,
    (data as { reason: string | null }).reason,
  ]);
}

describe.each(STORAGES)('creators on %s', (...storage) => {
  beforeEach(async () => {
    world = await createKeyWorld(storage);
  });

  it('have the status none until they apply', async () => {
    expect(await status()).toEqual({
      address: alice.address,
      status: 'none',
      appliedAt: null,
      approvedAt: null,
      rejectedReason: null,
    });
  });

  it('apply, are approved, and are told of', async () => {
    const appliedAt = instant();
    expect(await apply({ displayName: 'Ada' })).toEqual({
      address: alice.address,
      status: 'pending',
      appliedAt,
      approvedAt: null,
      rejectedReason: null,
    });
    world.clock.advance(5_000);
    expect(await decide('approved')).toMatchObject({ status: 'approved', displayName: 'Ada', appliedAt });
    expect(await status()).toMatchObject({ status: 'approved', approvedAt: instant() });
    expect(await news()).toEqual([
      ['pending', null],
      ['approved', null],
    ]);
    expect(world.wakeUps()).toBe(2);
  });

  it('need the signature of their wallet', async () => {
    const issue = await world.sign(alice, 'issue');
    const texts = { displayName: null, statement: null };
    expect(await outcomeOf(applyAsCreator(world.context, { ...issue, ...texts }))).toBe(STALE);
    const body = await world.sign(alice, 'apply');
    const signature = bob.signMessageSync(body.message);
    expect(await outcomeOf(applyAsCreator(world.context, { ...body, ...texts, signature }))).toBe(
      OTHER_SIGNER,
    );
    expect(await status()).toMatchObject({ status: 'none' });
  });

  it('may bring a pending application up to date, and keep what they leave out', async () => {
    await apply({ displayName: 'Ada', statement: 'Weather.' });
    await apply({ statement: 'Weather and sports.' });
    const { creators } = await listCreators(world.context, all);
    expect(creators).toMatchObject([
      { status: 'pending', displayName: 'Ada', statement: 'Weather and sports.' },
    ]);
    expect(await news()).toEqual([['pending', null]]);
  });

  it('may be approved without an application', async () => {
    expect(await decide('approved')).toMatchObject({
      status: 'approved',
      appliedAt: null,
      approvedAt: instant(),
    });
  });

  it('may apply again once rejected, and not once suspended', async () => {
    await apply();
    await decide('rejected', 'too vague');
    expect(await status()).toMatchObject({ status: 'rejected', rejectedReason: 'too vague' });
    expect(await apply()).toMatchObject({ status: 'pending', rejectedReason: null });
    await decide('suspended', 'fraud');
    expect(await apply()).toMatchObject({ status: 'suspended' });
  });

  it('stay approved when they apply again', async () => {
    await decide('approved');
    expect(await apply({ displayName: 'Ada' })).toMatchObject({ status: 'approved' });
    expect(await news()).toEqual([['approved', null]]);
  });

  it('are told a reason when they are rejected, while the reason of a suspension is for operators', async () => {
    expect(await decide('suspended', 'fraud')).toMatchObject({
      status: 'suspended',
      rejectedReason: 'fraud',
    });
    expect(await status()).toMatchObject({ status: 'suspended', rejectedReason: null });
    expect(await decide('approved')).toMatchObject({ status: 'approved', rejectedReason: null });
  });

  it('are not told again of a decision that changes nothing', async () => {
    await decide('approved');
    const approvedAt = instant();
    world.clock.advance(60_000);
    expect(await decide('approved')).toMatchObject({ approvedAt });
    await decide('rejected', 'a');
    await decide('rejected', 'a');
    await decide('rejected', 'b');
    expect(await news()).toEqual([
      ['approved', null],
      ['rejected', 'a'],
      ['rejected', 'b'],
    ]);
  });

  it('move between all states', async () => {
    const verdicts = ['approved', 'rejected', 'suspended'] as const;
    for (const from of verdicts) {
      for (const to of verdicts) {
        await decide(from, from === 'approved' ? null : 'r');
        expect(await decide(to, to === 'approved' ? null : 'r')).toMatchObject({ status: to });
      }
    }
  });

  it('are listed newest change first, by status, in pages', async () => {
    await apply({}, alice);
    world.clock.advance(1);
    await apply({}, bob);
    world.clock.advance(1);
    await decide('approved', null, alice);
    const addresses = async (query: { status?: 'pending' }): Promise<string[]> =>
      (await listCreators(world.context, { ...all, ...query })).creators.map((creator) => creator.address);
    expect(await addresses({})).toEqual([alice.address, bob.address]);
    expect(await addresses({ status: 'pending' })).toEqual([bob.address]);
    expect(await listCreators(world.context, { ...all, limit: 1, offset: 1 })).toMatchObject({
      creators: [{ address: bob.address }],
      total: 2,
      limit: 1,
      offset: 1,
    });
  });

  it('keep an approval that comes beside their applications', async () => {
    const bodies = await Promise.all(Array.from({ length: 10 }, () => world.sign(alice, 'apply')));
    const calls = bodies.map((body) =>
      applyAsCreator(world.context, { ...body, displayName: 'Ada', statement: null }),
    );
    await Promise.all([...calls.slice(0, 5), decide('approved'), ...calls.slice(5)]);
    expect(await status()).toMatchObject({ status: 'approved' });
  });
});
