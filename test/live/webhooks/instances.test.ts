import { createPredictionMarket, type PredictionMarket } from '../../../src/create-prediction-market';
import { fakeFacilitator } from '../../../testing/fake-facilitator';
import { fakeOracle } from '../../../testing/fake-oracle';
import { testWallet } from '../../../testing/test-wallets';
import { onEachStorage, type StorageHome } from '../../support/storages';
import { until } from '../../support/until';
import { startReceiver, type Receiver } from './receiver';

onEachStorage(
  'webhooks of two instances',
  (ground) => {
    let home: StorageHome;
    let receiver: Receiver;
    let first: PredictionMarket;
    let second: PredictionMarket;
    const instance = async (): Promise<PredictionMarket> => {
      const pm = createPredictionMarket({
        storage: home.handle(),
        oracle: fakeOracle(),
        facilitator: fakeFacilitator(),
        payTo: testWallet('payee').address,
        webhooks: { allowPrivate: true },
      });
      await pm.start();
      return pm;
    };
    beforeEach(async () => {
      home = await ground.create();
      receiver = await startReceiver();
      [first, second] = [await instance(), await instance()];
    });
    afterEach(async () => {
      await Promise.all([first.close(), second.close()]);
      await home.destroy();
      await receiver.close();
    });

    const seqs = (): number[] => receiver.ids().map((id) => Number(id.split(':')[1]));
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
    const approve = (pm: PredictionMarket, name: string) =>
      pm.approveCreator({ address: testWallet(name).address });

    it('are delivered by one of them, each fact once and in order, and by the other when it is closed', async () => {
      await second.createWebhook({ url: receiver.url });
      await Promise.all(upTo(12).map((number) => approve(number % 2 === 0 ? first : second, `a${number}`)));
      await until(() => receiver.received.length >= 12);
      await first.close();
      await approve(second, 'b');
      await until(() => receiver.received.length >= 13);
      expect(seqs()).toEqual(upTo(13));
      await until(async () => (await second.listWebhooks()).webhooks[0]?.behind === 0);
      expect((await second.listWebhookDeliveries({ id: 1 })).total).toBe(13);
    });
  },
  ['postgres'],
);
