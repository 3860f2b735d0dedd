/** What the types of the live feed's messages are generated from: schemas of the AsyncAPI document. */
import { eventMessages } from '../src/events/message.schema';
import { buildAsyncApi, schemaName } from '../src/http/asyncapi/document';

/** The schemas that callers of the client get besides the messages of facts. */
const STATES = ['MarketSnapshot', 'BalanceFigures'];

export function liveSource(): string {
  const address = 'https://example.com';
  const document = buildAsyncApi({ title: 'Live', version: '1', address, socketPath: null });
  const wanted = [...Object.keys(eventMessages).map(schemaName), ...STATES];
  const schemas = Object.fromEntries(wanted.map((name) => [name, document.components.schemas[name]]));
  const info = { title: 'Messages of the live feed', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, paths: {}, components: { schemas } });
}
