/** Compares what a client gets with the schemas of the messages. */
import type Joi from 'joi';
import { controlMessages } from '../../src/events/control.schema';
import { eventMessages } from '../../src/events/message.schema';
import type { ControlMessage, EventMessage } from '../../src/events/protocol';

/** Any message, read from JSON. Throws for one that is not declared, or has another shape than declared. */
export function expectMessage(message: unknown): asserts message is ControlMessage | EventMessage {
  const { error } = schemaOf(message).validate(message, { convert: false, abortEarly: false });
  if (error !== undefined) throw new Error(`${error.message}: ${JSON.stringify(message)}`);
}

function schemaOf(message: unknown): Joi.Schema {
  const { type, event } = (message ?? {}) as { type?: unknown; event?: unknown };
  const [schemas, name]: [Record<string, Joi.Schema>, unknown] =
    type === 'event' ? [eventMessages, event] : [controlMessages, type];
  const schema = Object.hasOwn(schemas, String(name)) ? schemas[String(name)] : undefined;
  if (schema === undefined) throw new Error(`No such message is declared: ${JSON.stringify(message)}`);
  return schema;
}
