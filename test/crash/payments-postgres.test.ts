import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { createWorld } from './payment-world';
import { DEPOSIT, MARKETS, send, sendUntilAnswered, type Answer } from './payments-client';
import { lastAnswer } from './payment-checks';
import { paymentCrashes } from './payments-suite';

describeWith('postgres', 'a payment on Postgres', () => {
  describeWith('anvil', 'and a chain, when servers die,', (binary) => {
    let server: PostgresServer;
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    beforeAll(async () => {
      server = await startPostgres();
      database = await freshDatabase(server.url);
    });
    paymentCrashes(
      () => createWorld(binary, database.url),
      'storage steps',
      (parts) => {
        it.each(['after settle', 'in answered'])(
          'is taken over by another living instance after a death %s',
          async (step) => {
            const { world, checks } = parts();
            const { victim, purchase, before } = await checks.preparePurchase(DEPOSIT);
            const successor = await world.another();
            await victim.tell({ order: 'die', at: step });
            expect(await lastAnswer(victim, purchase)).toBeNull();
            await world.passLease(successor);
            await checks.checkPurchase(
              { successor, answer: await sendUntilAnswered(successor, purchase) },
              purchase,
              before,
            );
            await successor.kill();
          },
        );

        it.each([
          ['after claimed', [503]],
          ['after submitted', [503]],
          ['after settle', [201, 503]],
          ['after answered', [201]],
        ])(
          'is taken over by another instance from one that stands still %s, which changes nothing when it goes on and answers %j',
          async (step, lateStatuses) => {
            const { world, checks } = parts();
            const { victim, purchase, before } = await checks.preparePurchase(MARKETS);
            const successor = await world.another();
            await victim.tell({ order: 'pause', at: step });
            const late = send(victim, purchase);
            await victim.hasPaused();
            await world.passLease(successor);
            const answer = await sendUntilAnswered(successor, purchase);
            victim.wake();
            const { status, text } = (await late) as Answer;
            expect(lateStatuses).toContain(status);
            if (status === 201) expect(text).toBe(answer.text);
            else expect(text).toContain('"code":"SETTLEMENT_PENDING"');
            await checks.checkPurchase({ successor, answer }, purchase, before);
            // The clock of the paused server is behind, so later servers would take over its payments at once. So
            // the paused server is killed too.
            await Promise.all([victim.kill(), successor.kill()]);
          },
        );
      },
    );
    afterAll(async () => {
      await database.drop();
      await server.stop();
    });
  });
});
