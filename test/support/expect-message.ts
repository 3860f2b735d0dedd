import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ControlMessage, EventMessage } from '../../src/events/protocol';
import { buildAsyncApi } from '../../src/http/asyncapi/document';

const document = buildAsyncApi({
  title: 'Test',
  version: '1',
  address: 'http://localhost',
  socketPath: null,
});
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(document, 'live');

export function expectMessage(message: unknown): asserts message is ControlMessage | EventMessage {
  const { type, event } = (message ?? {}) as { type?: unknown; event?: unknown };
  const { messages } = document.components;
  const name = String(type === 'event' ? event : type);
  const declared = Object.hasOwn(messages, name) ? messages[name] : undefined;
  const shown = JSON.stringify(message);
  if (declared === undefined) throw new Error(`No such message is declared: ${shown}`);
  const validate = ajv.getSchema(`live${declared.payload.$ref}`);
  if (validate?.(message) !== true)
    throw new Error(`${name}: ${ajv.errorsText(validate?.errors)} in ${shown}`);
}
