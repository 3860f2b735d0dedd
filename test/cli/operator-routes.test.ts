import { OPERATOR_GROUPS, OPERATOR_SINGLES } from '../../cli/operators';
import { clientDocuments } from '../../scripts/client-documents';
import { run } from './support';

const COMMANDS = [
  ...OPERATOR_GROUPS.flatMap(({ name, commands }) =>
    commands.map((command) => ({ ...command, words: `${name} ${command.name}` })),
  ),
  ...OPERATOR_SINGLES.map((command) => ({ ...command, words: command.name })),
];

const EXCEPTIONS: Record<string, string> = {
  'GET /audit': 'the command audit says by its exit code what it found',
  'GET /openapi.json': 'it is for programs',
};

it('each route of operators has one command, or is an exception', async () => {
  const { operators } = await clientDocuments();
  const routes = Object.entries(operators.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const reached = COMMANDS.map(({ route }) => String(route)).concat(Object.keys(EXCEPTIONS));
  expect([...reached].sort()).toEqual([...routes].sort());
});

it('alarms is refused without --url', async () => {
  expect(await run(['alarms'])).toMatchObject({
    ...{ exitCode: 2, printed: [] },
    told: ['error: alarms needs --url: only a running server can say which alarms it has'],
  });
});

describe('a decision for which the service asks the payout or the facilitator', () => {
  const onlyOnServers = COMMANDS.filter(
    ({ worksOnDatabase, words }) => !worksOnDatabase && words !== 'alarms',
  );

  it('is one about a withdrawal or a payment', () => {
    expect(onlyOnServers.map(({ words }) => words)).toEqual([
      ...['withdrawals confirm', 'withdrawals fail', 'payments confirm', 'payments reject'],
    ]);
  });

  it.each(onlyOnServers.map(({ words, fields }) => [words, Object.keys(fields)] as const))(
    '%s is refused without --url, and takes no name of an operator',
    async (words, fields) => {
      const transaction = fields.includes('transaction') ? ['--transaction', `0x${'5e'.repeat(32)}`] : [];
      const reason = fields.includes('reason') ? ['--reason', 'x'] : [];
      const args = [...words.split(' '), '1', ...transaction, ...reason];
      const why = 'only a running server can look up what became of the money';
      expect(await run(args)).toMatchObject({
        ...{ exitCode: 2, printed: [] },
        told: [`error: ${words} needs --url: ${why}`],
      });
      const named = await run([...args, '--url', 'http://market.example', '--operator', 'dana']);
      expect(named).toMatchObject({
        ...{ exitCode: 2, printed: [] },
        told: [expect.stringMatching(/^error: unknown option '--operator'/)],
      });
    },
  );
});
