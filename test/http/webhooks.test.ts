import { OPS, startService, type Service } from './support/service';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const PATH = `${OPS}/webhooks`;
const post = (path: string, body: unknown = {}) => service.call('post', path, { body });
const url = 'https://receiver.invalid/hooks?token=1';

it('an operator adds a webhook and sees its secret once', async () => {
  const made = await post(PATH, { url, description: 'books', events: ['trade'] });
  expect(made.status).toBe(201);
  const { secret, ...webhook } = made.body as { secret: string; id: number };
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toMatchObject({
    id: 1,
    url,
    description: 'books',
    events: ['trade'],
    status: 'enabled',
    behind: 0,
  });
  const listed = await service.call('get', PATH);
  expect(listed.body).toEqual({ webhooks: [webhook], total: 1, limit: 20, offset: 0 });
  const rotated = await post(`${PATH}/1/rotate`);
  expect(rotated.body).toMatchObject({ id: 1, oldSecretsUntil: ['2027-03-02T12:00:00.000Z'] });
  expect((rotated.body as { secret: string }).secret).not.toBe(secret);
});

it.each([
  ['an http address', { url: 'http://receiver.invalid/' }],
  ['this machine', { url: 'https://127.0.0.1/' }],
  ['this machine in another notation', { url: 'https://2130706433/' }],
  ['a private IPv6 address', { url: 'https://[fd00::1]/' }],
  ['a name of this machine', { url: 'https://localhost/' }],
  ['a name of this machine with a dot at its end', { url: 'https://api.LOCALHOST.:8443/x' }],
  ['a user and a password', { url: 'https://user:password@receiver.invalid/' }],
  ['a fragment', { url: 'https://receiver.invalid/#x' }],
  ['no address', { url: 'receiver' }],
  ['an event of accounts', { url, events: ['account.balance'] }],
  ['an event twice', { url, events: ['trade', 'trade'] }],
  ['no event at all', { url, events: [] }],
  ['a fact that is still far ahead', { url, seq: 2 }],
])('a webhook with %s is refused with 400', async (_what, body) => {
  const refused = await post(PATH, body);
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(JSON.stringify(refused.body)).not.toContain('password@');
  expect((await service.call('get', PATH)).body).toMatchObject({ total: 0 });
});

it.each(['http://receiver.invalid/', 'https://localhost/', 'https://10.0.0.1/', 'https://[::1]/'])(
  'the refusal of %s names the setting that permits it',
  async (refusedUrl) => {
    const { body } = await post(PATH, { url: refusedUrl });
    expect(JSON.stringify(body)).toMatch(
      / unless the option webhooks\.allowPrivate \(WEBHOOK_ALLOW_PRIVATE=1\) permits/,
    );
  },
);

it.each([
  'https://localhost.example/',
  'https://notlocalhost/',
  'https://8.8.8.8/',
  'https://[2606:4700::1]/',
])('a webhook may have the address %s', async (public_) =>
  expect((await post(PATH, { url: public_ })).status).toBe(201),
);

it('there are at most as many webhooks as the option says, also when many are added at once', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => post(PATH, { url })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, body } of refused)
    expect({ status, body: body as unknown }).toMatchObject({ status: 409, body: { code: 'WEBHOOK_LIMIT' } });
  expect((await service.call('get', `${PATH}?limit=5&offset=18`)).body).toMatchObject({
    webhooks: [{ id: 19 }, { id: 20 }],
    total: 20,
  });
});

it('a webhook has at most five secrets in use', async () => {
  await post(PATH, { url });
  for (let number = 2; number <= 5; number += 1)
    expect((await post(`${PATH}/1/rotate`, { overlapSeconds: 60 })).status).toBe(200);
  expect((await post(`${PATH}/1/rotate`, { overlapSeconds: 60 })).body).toMatchObject({
    code: 'WEBHOOK_LIMIT',
  });
  expect((await post(`${PATH}/1/rotate`, { overlapSeconds: 0 })).body).toMatchObject({ oldSecretsUntil: [] });
});

it.each(['2', '0', 'x', '1e3', '99999999999999999999'])('there is no webhook %s', async (id) => {
  await post(PATH, { url });
  const answers = [
    await service.call('delete', `${PATH}/${id}`),
    await service.call('get', `${PATH}/${id}/deliveries`),
    await post(`${PATH}/${id}/enable`),
    await post(`${PATH}/${id}/replay`, { seq: 1 }),
    await post(`${PATH}/${id}/rotate`),
  ];
  for (const { status, body } of answers)
    expect({ status, body: body as unknown }).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});
