import { createServer, type Server } from 'node:http';
import { httpFacilitator } from '../../adapters/facilitator/http';
import { httpOracle } from '../../adapters/oracle/http';
import { openaiOracle } from '../../adapters/oracle/openai';
import { close, listen } from '../facilitator/support/facilitator-server';
import { ANY_QUESTION } from '../oracle/support/obedient-model';
import { collectGarbage } from '../support/collect-garbage';
import { createGate } from '../support/gate';
import { sendHalf } from '../support/half-body';
import { until } from '../support/until';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
const LIMIT = { timeoutMs: 300 };

let server: Server;
let url: string;
let asked = createGate();
beforeEach(async () => {
  asked = createGate();
  server = createServer((_request, response) => {
    sendHalf(response, '{"kinds":[]}');
    asked.open();
  });
  url = `http://127.0.0.1:${await listen(server)}`;
});
afterEach(() => close(server));

const signal = (): AbortSignal => new AbortController().signal;
const CALLS: Record<string, () => Promise<unknown>> = {
  httpFacilitator: () => httpFacilitator({ url, ...LIMIT }).supported(),
  openaiOracle: () =>
    openaiOracle({ baseUrl: url, model: 'a', ...LIMIT }).ask(ANY_QUESTION, { signal: signal() }),
  httpOracle: () =>
    httpOracle({ url, secret: SECRET, allowPrivate: true, ...LIMIT }).ask(ANY_QUESTION, { signal: signal() }),
};

it.each(Object.entries(CALLS))(
  '%s ends at its time limit when the body stalls and garbage is collected',
  async (_name, call) => {
    let isOver = false;
    const ended = call()
      .catch(() => undefined)
      .finally(() => (isOver = true));
    await asked.opened;
    const ends = async (): Promise<boolean> => {
      collectGarbage();
      return isOver;
    };
    await until(ends, { what: 'the call has ended' });
    await ended;
  },
);
